import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getBlocks, toLatestChangeCheck } from '../conversations/write/pair-blocks.ts';
import type { Key } from '../keys/keys.ts';
import { repairConversations } from './block-conversations.ts';
import { listBlock } from './change-block.ts';

/** Milliseconds by which clocks may differ, and a stream record's time is rounded. */
const clockTolerance = 2000;

/**
 * Applies the record of a pair to its conversations and lists, once no request that
 * changed the record or read an earlier one can still be running. This covers conversations that
 * were being created, or that the index did not show, and changes that stopped midway. A change
 * since then has a record of its own, so nothing is written after it.
 */
export async function followBlock(key: Key, changedAt: number): Promise<'followed'> {
  const before = (await getBlocks(key)).flatMap((one) => one.changedAt ?? []);
  const latestAt = before.length > 0 ? Math.max(...before) : changedAt;
  const settledAt = latestAt + clockTolerance + maxRequestMilliseconds;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  for (const { block, at, change, changedAt: lastAt = 0 } of await getBlocks(key)) {
    if (lastAt > latestAt) continue;
    await repairConversations(block, at !== undefined, toLatestChangeCheck(block, change));
    if (at !== undefined && change !== undefined) await listBlock(block, { at, change });
  }
  return 'followed';
}
