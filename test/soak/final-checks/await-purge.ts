import { setTimeout as sleep } from 'node:timers/promises';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import type { Model } from '../model/model.ts';
import { isUnpurged } from './find-stray-items.ts';
import { readTable } from './read-table.ts';

const pollMilliseconds = 5000;

/** Counts the items of deleted conversations in the table. */
export const countUnpurged = async (cloud: ServingCloud, model: Model): Promise<number> =>
  (await readTable(cloud)).filter((item) => isUnpurged(model, item)).length;

/**
 * Waits until the table has no items of deleted conversations. Returns the number of remaining
 * items.
 */
export async function awaitPurge(
  cloud: ServingCloud,
  model: Model,
  milliseconds: number,
  tell: (leftOver: number) => void,
): Promise<number> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const leftOver = await countUnpurged(cloud, model);
    tell(leftOver);
    if (leftOver === 0 || Date.now() > deadline) return leftOver;
    await sleep(pollMilliseconds);
  }
}
