import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getBlocks, toLatestChangeCheck } from '../conversations/write/pair-blocks.ts';
import type { Key } from '../keys/keys.ts';
import { repairConversations } from './block-conversations.ts';
import { listBlock } from './change-block.ts';

/** Milliseconds allowed for clock differences and for the rounding of a stream record's time. */
const clockTolerance = 2000;

/**
 * Applies a pair's record to its conversations and block lists, once no request that changed the
 * record or read an earlier version can still be running. This covers conversations that were being
 * created or that the index did not show, and changes that stopped midway. Skips a block that has
 * changed since: the later change has its own stream record.
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
