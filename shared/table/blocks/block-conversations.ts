import * as v from 'valibot';
import { getItems, type Item, queryPage, transact, update, type Write } from '../calls/access.ts';
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
 * Adds or removes a block in all direct conversations between two contacts. Skips conversations
 * that the index does not contain yet. Takes about a second per thousand conversations.
 */
export const blockConversations = (block: Block, isBlocked: boolean): Promise<void> =>
  forEachPage(block, (ids) =>
    Promise.all(
      ids.map((id) =>
        isBlocked ? blockConversation(id, block) : update(toBlockUpdate(id, block, false)),
      ),
    ),
  );

/** Corrects conversations whose state differs from `isBlocked`, unless the block has changed. */
export const repairConversations = (
  block: Block,
  isBlocked: boolean,
  isUnchanged: Write,
): Promise<void> =>
  forEachPage(block, async (ids) => {
    const found = await getItems(ids.map(conversationKey));
    const differing = found
      .filter((item) => !isDeleted(item))
      .map((item) => v.parse(ConversationItem, item))
      .filter(({ blocked_by }) => (blocked_by?.has(block.blocker) ?? false) !== isBlocked);
    // Runs one transaction at a time, because concurrent checks of the same item conflict.
    for (const { id } of differing) {
      const { done } = await transact([
        isUnchanged,
        { update: toBlockUpdate(id, block, isBlocked) },
      ]);
      const [item] = done && isBlocked ? await getItems([conversationKey(id)]) : [];
      if (item) await fillReserved(item);
    }
  });

async function forEachPage(
  { blocker, blocked }: Block,
  handle: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  let next: Item | undefined;
  do {
    const page = await queryPage({
      IndexName: 'gsi3',
      KeyConditionExpression: `${indexes.gsi3.partition} = :pair`,
      ExpressionAttributeValues: { ':pair': pairPartition(blocker, blocked) },
      ProjectionExpression: 'pk',
      Limit: pageSize,
      ...(next && { ExclusiveStartKey: next }),
    });
    const entries = v.parse(Entries, page.items);
    await handle(entries.flatMap((key) => parseConversationPartition(key) ?? []));
    next = page.next;
  } while (next);
}

/**
 * Blocks a conversation, then fills its reserved sequence numbers. A send in progress must then
 * reserve another sequence number, but the block prevents the reservation.
 */
async function blockConversation(id: string, block: Block): Promise<void> {
  const written = await update({ ...toBlockUpdate(id, block, true), ReturnValues: 'ALL_NEW' });
  const item = written.done ? written.item : written.found;
  if (item) await fillReserved(item);
}

/** Fills the gaps above the last entry, unless the conversation was deleted. */
async function fillReserved(item: Item): Promise<void> {
  if (isDeleted(item)) return;
  const { id, message_count, last_message_at = 0 } = v.parse(ConversationItem, item);
  if (message_count > 0) await fillLastGaps(id, message_count, last_message_at);
}

/** Returns an update that keeps the version: the blocked contact must not notice the block. */
const toBlockUpdate = (id: string, { blocker }: Block, isBlocked: boolean) => ({
  Key: conversationKey(id),
  UpdateExpression: `REMOVE ${sharedChangeAttribute} ${isBlocked ? 'ADD' : 'DELETE'} blocked_by :blockers`,
  ConditionExpression: isBlocked
    ? `${existsCondition} AND ${notDeletedCondition} AND NOT contains(blocked_by, :blocker)`
    : 'contains(blocked_by, :blocker)',
  ExpressionAttributeValues: { ':blockers': new Set([blocker]), ':blocker': blocker },
});
