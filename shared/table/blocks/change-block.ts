import { transact } from '../calls/access.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import {
  type Block,
  type BlockChange,
  removeBlock,
  toLatestChangeCheck,
  touchBlock,
} from '../conversations/write/pair-blocks.ts';
import { blockKey } from '../keys/keys.ts';
import { blockConversations } from './block-conversations.ts';

/**
 * Blocks a contact and returns the time of the block in milliseconds. Restarts if another request
 * changes the block. After a crash, the purge worker completes the block: see follow-block.ts.
 */
export const blockContact = (block: Block): Promise<number> =>
  retryUntilDone(async () => {
    const change = await touchBlock(block, { isNew: true });
    if (!change) return undefined;
    await blockConversations(block, true);
    return (await listBlock(block, change)) ? change.at : undefined;
  });

/** Adds a block to the blocker's list. Returns false if `change` is not the latest change. */
export async function listBlock(block: Block, { change, at }: BlockChange): Promise<boolean> {
  const { blocked: contactId, blocker } = block;
  const { done } = await transact([
    toLatestChangeCheck(block, change),
    {
      update: {
        Key: blockKey(blocker, { contactId, at }),
        UpdateExpression: 'SET blocked_id = :blocked, created_at = :at',
        ExpressionAttributeValues: { ':blocked': contactId, ':at': at },
      },
    },
  ]);
  return done;
}

/**
 * Unblocks a contact. Restarts and recovers like `blockContact`. Returns whether the contact was
 * blocked.
 */
export async function unblockContact(block: Block): Promise<boolean> {
  let wasBlocked = false;
  await retryUntilDone(async () => {
    const change = await touchBlock(block, { isNew: false });
    if (!change) return true;
    wasBlocked = true;
    await blockConversations(block, false);
    return (await removeBlock(block, change)) || undefined;
  });
  return wasBlocked;
}
