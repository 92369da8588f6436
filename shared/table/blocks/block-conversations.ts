import * as v from 'valibot';
import { type Item, queryPage, update } from '../calls/access.ts';
import { existsCondition } from '../calls/expressions.ts';
import { ConversationItem } from '../conversations/items/conversation-item.ts';
import { isDeleted, notDeletedCondition } from '../conversations/items/conversation-tombstone.ts';
import type { Block } from '../conversations/write/pair-blocks.ts';
import { conversationKey, pairPartition, parseConversationPartition } from '../keys/keys.ts';
import { indexes, sharedChangeAttribute } from '../keys/names.ts';
import { fillLastGaps } from '../messages/log/resolve-gaps.ts';

const pageSize = 500;
const Entries = v.array(v.object({ pk: v.string() }));

/**
 * Stores on all direct conversations of two contacts whether one blocks the other. Skips those that
 * the index does not show yet. Time grows with the number of conversations: about a second for a
 * thousand.
 */
export async function blockConversations(block: Block, isBlocked: boolean): Promise<void> {
  let next: Item | undefined;
  do {
    const page = await queryPage({
      IndexName: 'gsi3',
      KeyConditionExpression: `${indexes.gsi3.partition} = :pair`,
      ExpressionAttributeValues: { ':pair': pairPartition(block.blocker, block.blocked) },
      ProjectionExpression: 'pk',
      Limit: pageSize,
      ...(next && { ExclusiveStartKey: next }),
    });
    const ids = v
      .parse(Entries, page.items)
      .flatMap((key) => parseConversationPartition(key) ?? []);
    await Promise.all(
      ids.map((id) =>
        isBlocked ? blockConversation(id, block) : update(toBlockUpdate(id, block, false)),
      ),
    );
    next = page.next;
  } while (next);
}

/** Also refuses sends that have reserved a sequence number. */
async function blockConversation(id: string, block: Block): Promise<void> {
  const written = await update({ ...toBlockUpdate(id, block, true), ReturnValues: 'ALL_NEW' });
  const item = written.done ? written.item : written.found;
  if (!item || isDeleted(item)) return;
  const { message_count, last_message_at = 0 } = v.parse(ConversationItem, item);
  if (message_count > 0) await fillLastGaps(id, message_count, last_message_at);
}

/** Leaves the version unchanged, so that the blocked contact sees no change. */
const toBlockUpdate = (id: string, { blocker }: Block, isBlocked: boolean) => ({
  Key: conversationKey(id),
  UpdateExpression: `REMOVE ${sharedChangeAttribute} ${isBlocked ? 'ADD' : 'DELETE'} blocked_by :blockers`,
  ConditionExpression: isBlocked
    ? `${existsCondition} AND ${notDeletedCondition} AND NOT contains(blocked_by, :blocker)`
    : 'contains(blocked_by, :blocker)',
  ExpressionAttributeValues: { ':blockers': new Set([blocker]), ':blocker': blocker },
});
