import { setTimeout as sleep } from 'node:timers/promises';
import type { ServingCloud } from '../cloud-process.ts';
import type { World } from '../model/world.ts';
import { isLeftOver } from './belongs.ts';
import { readTable } from './table.ts';

const lookMilliseconds = 5000;

/** How many items of deleted conversations are in the table. */
export const countLeftOver = async (cloud: ServingCloud, world: World): Promise<number> =>
  (await readTable(cloud)).filter((item) => isLeftOver(world, item)).length;

/** Waits until nothing of the deleted conversations is in the table any more; gives how many items are, in the end. */
export async function awaitPurge(
  cloud: ServingCloud,
  world: World,
  milliseconds: number,
  tell: (leftOver: number) => void,
): Promise<number> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const leftOver = await countLeftOver(cloud, world);
    tell(leftOver);
    if (leftOver === 0 || Date.now() > deadline) return leftOver;
    await sleep(lookMilliseconds);
  }
}
