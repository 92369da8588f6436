import { setTimeout as sleep } from 'node:timers/promises';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { findRunningStage } from '../../../commands/stage/running-stage.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import { type Item, readTable } from './read-table.ts';

export interface FileFigures {
  objects: number;
  items: number;
  differences: string[];
}

/**
 * Compares the bucket's objects with the table's items: each object must have an item, and each
 * item of a sent file must have an object. If `isRemovalComplete` is true, each item must have a
 * message.
 */
export async function compareFiles(
  cloud: ServingCloud,
  dataDirectory: string,
  isRemovalComplete: boolean,
): Promise<FileFigures> {
  // Read the table first, because the service removes an object before its item.
  const table = await readTable(cloud);
  const objects = await listObjects(dataDirectory);
  const messages = new Set(table.flatMap(({ id, sent_by }) => (sent_by ? [String(id)] : [])));
  const attachments = new Map(
    table.flatMap((item) => (isAttachment(item) ? [[toKey(item), item]] : [])),
  );
  const isSent = ([, { message_id }]: [string, Item]) => messages.has(String(message_id));
  const sent = [...attachments].filter(isSent);
  const others = [...attachments].filter((one) => !isSent(one));
  const orphans = [...objects].filter((key) => !attachments.has(key));
  const missing = sent.filter(([key]) => !objects.has(key));
  const remaining = isRemovalComplete ? others : [];
  return {
    objects: objects.size,
    items: attachments.size,
    differences: [
      ...orphans.map((key) => `object without an item: ${key}`),
      ...missing.map(([key]) => `sent file without an object: ${key}`),
      ...remaining.map(([key]) => `file without a message: ${key}`),
    ],
  };
}

const pollMilliseconds = 5000;

/** Repeats the comparison until no differences remain or `milliseconds` have passed. */
export async function awaitEqualFiles(
  cloud: ServingCloud,
  dataDirectory: string,
  milliseconds: number,
): Promise<FileFigures> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const figures = await compareFiles(cloud, dataDirectory, true);
    if (figures.differences.length === 0 || Date.now() > deadline) return figures;
    await sleep(pollMilliseconds);
  }
}

/** Returns a predicate that matches items of sent files whose message was removed. */
export const isFileOfRemovedMessage = (items: readonly Item[]) => {
  const messages = new Set(items.map(({ id }) => id));
  return (item: Item): boolean =>
    isAttachment(item) && item.message_id !== undefined && !messages.has(item.message_id);
};

export const isAttachment = ({ sk }: Item): boolean => String(sk).startsWith('ATTACHMENT#');

const toKey = ({ pk, sk }: Item): string =>
  `files/${String(pk).split('#')[1]}/${String(sk).split('#')[1]}`;

async function listObjects(dataDirectory: string): Promise<Set<string>> {
  const { s3, output } = await findRunningStage(undefined, dataDirectory);
  const client = new S3Client(s3);
  const keys = new Set<string>();
  const Bucket = output('FilesBucket');
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    for (const { Key } of Contents) keys.add(String(Key));
  }
  client.destroy();
  return keys;
}
