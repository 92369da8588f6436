import { clock, maxRequestMilliseconds } from '../../clock.ts';
import { getBlocks } from '../conversations/write/pair-blocks.ts';
import type { Key } from '../keys/keys.ts';
import { blockConversations } from './block-conversations.ts';
import { completeBlock } from './change-block.ts';

/** Milliseconds by which clocks may differ, and a stream record's time is rounded. */
const clockTolerance = 2000;

/**
 * Applies the record of a pair to their conversations and lists, once no request that changed the
 * record or read an earlier one can still be running. This covers conversations that
 * were being created, or that the index did not show, and changes that stopped midway.
 */
export async function followBlock(key: Key, changedAt: number): Promise<'followed'> {
  const { changedAt: latestAt = changedAt } = await getBlocks(key);
  const settledAt = latestAt + clockTolerance + maxRequestMilliseconds;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  const { blocks, change } = await getBlocks(key);
  for (const { at, ...block } of blocks) {
    if (at === undefined) await blockConversations(block, false);
    // A change since then is followed by the record of its own.
    else await completeBlock(block, { at, change });
  }
  return 'followed';
}
