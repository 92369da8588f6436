import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getBlocks, toLatestChangeCheck } from '../conversations/write/pair-blocks.ts';
import type { Key } from '../keys/keys.ts';
import { repairConversations } from './block-conversations.ts';
import { listBlock } from './change-block.ts';

/** Milliseconds allowed for clock differences and for the rounding of stream timestamps. */
const clockTolerance = 2000;

/**
 * Applies a pair's block record to the pair's conversations and block lists, and completes changes
 * after a crash. First waits until every request that changed the record or read an earlier version
 * has ended. After the wait, the index contains the conversations that these requests created.
 * Skips a block that changes during the wait, because that change has its own stream record.
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
