import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { findRunningStage } from '../../../commands/stage/running-stage.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import type { Model } from '../model/model.ts';
import { type Item, readTable } from './read-table.ts';

/** Uploaded files at the end, on both sides. */
export interface FileFigures {
  objects: number;
  items: number;
}

/**
 * Compares the objects of the bucket with the items of the table: each object has an item, and each
 * item of a sent file has an object and its message.
 */
export async function checkFiles(
  cloud: ServingCloud,
  dataDirectory: string,
  model: Model,
): Promise<FileFigures> {
  // First, because an object is removed before its item.
  const table = await readTable(cloud);
  const objects = await listObjects(dataDirectory);
  const messages = new Set(table.flatMap(({ id, sent_by }) => (sent_by ? [String(id)] : [])));
  const attachments = new Map(
    table.flatMap((item) => (isAttachment(item) ? [[toKey(item), item]] : [])),
  );
  for (const key of objects) {
    if (!attachments.has(key)) model.report({ expected: `no object without an item: ${key}` });
  }
  for (const [key, { message_id }] of attachments) {
    if (message_id === undefined || !messages.has(String(message_id))) continue;
    if (!objects.has(key)) model.report({ expected: `an object for the sent file ${key}` });
  }
  return { objects: objects.size, items: attachments.size };
}

/** Returns whether a sent file remains whose message is removed. */
export const isFileOfRemovedMessage = (items: readonly Item[]) => {
  const messages = new Set(items.map(({ id }) => id));
  return (item: Item): boolean =>
    isAttachment(item) && item.message_id !== undefined && !messages.has(item.message_id);
};

const isAttachment = ({ sk }: Item): boolean => String(sk).startsWith('ATTACHMENT#');

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
