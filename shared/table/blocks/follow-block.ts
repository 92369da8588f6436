import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getBlocks, toLatestChangeCheck } from '../conversations/write/pair-blocks.ts';
import type { Key } from '../keys/keys.ts';
import { repairConversations } from './block-conversations.ts';
import { listBlock } from './change-block.ts';

/** Milliseconds by which clocks may differ, and a stream record's time is rounded. */
const clockTolerance = 2000;

/**
 * Repeats what the record of a pair says on their conversations and lists, once no request that
 * changed the record or read an earlier one can still be running. This covers conversations that
 * were being created, or that the index did not show, and changes that stopped midway. A change
 * since then has a record of its own, so nothing is written after it.
 */
export async function followBlock(key: Key, changedAt: number): Promise<'followed'> {
  const { changedAt: latestAt = changedAt } = await getBlocks(key);
  const settledAt = latestAt + clockTolerance + maxRequestMilliseconds;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  const { blocks, change, changedAt: lastAt = latestAt } = await getBlocks(key);
  if (lastAt > latestAt) return 'followed';
  for (const { at, ...block } of blocks) {
    await repairConversations(block, at !== undefined, toLatestChangeCheck(block, change));
    if (at !== undefined && change !== undefined) await listBlock(block, { at, change });
  }
  return 'followed';
}
