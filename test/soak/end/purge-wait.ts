import { setTimeout as sleep } from 'node:timers/promises';
import type { ServingCloud } from '../cloud-process.ts';
import type { Model } from '../model/model.ts';
import { isLeftOver } from './belongs.ts';
import { readTable } from './table.ts';

const lookMilliseconds = 5000;

/** How many items of deleted conversations are in the table. */
export const countLeftOver = async (cloud: ServingCloud, model: Model): Promise<number> =>
  (await readTable(cloud)).filter((item) => isLeftOver(model, item)).length;

/** Waits until nothing of the deleted conversations is in the table any more; gives how many items are, in the end. */
export async function awaitPurge(
  cloud: ServingCloud,
  model: Model,
  milliseconds: number,
  tell: (leftOver: number) => void,
): Promise<number> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const leftOver = await countLeftOver(cloud, model);
    tell(leftOver);
    if (leftOver === 0 || Date.now() > deadline) return leftOver;
    await sleep(lookMilliseconds);
  }
}
