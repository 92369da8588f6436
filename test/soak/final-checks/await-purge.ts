import { setTimeout as sleep } from 'node:timers/promises';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import type { Model } from '../model/model.ts';
import { isFileOfRemovedMessage } from './check-files.ts';
import { isContent, isUnpurged } from './find-stray-items.ts';
import { type Item, readTable } from './read-table.ts';

const pollMilliseconds = 5000;

/** Reports whether the item is a message's tombstone that still lists files. */
const hasFiles = ({ attachment_ids, id }: Item) => attachment_ids !== undefined && id === undefined;

/**
 * Counts the items that the purge must still remove: items of deleted conversations, unused message
 * content, and files of deleted messages.
 */
export async function countUnpurged(cloud: ServingCloud, model: Model): Promise<number> {
  const items = await readTable(cloud);
  const usedContent = new Set(items.map(({ content_id }) => content_id));
  const isUnused = ({ sk }: Item) =>
    isContent(sk) && !usedContent.has(String(sk).split('#').at(-1) ?? '');
  const isUnusedFile = isFileOfRemovedMessage(items);
  return items.filter(
    (item) => isUnpurged(model, item) || isUnused(item) || isUnusedFile(item) || hasFiles(item),
  ).length;
}

/**
 * Waits up to `milliseconds` until no unpurged items remain. Returns the number of remaining items.
 */
export async function awaitPurge(
  cloud: ServingCloud,
  model: Model,
  milliseconds: number,
  report: (leftOver: number) => void,
): Promise<number> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const leftOver = await countUnpurged(cloud, model);
    report(leftOver);
    if (leftOver === 0 || Date.now() > deadline) return leftOver;
    await sleep(pollMilliseconds);
  }
}
