import { expect } from '@jest/globals';
import * as v from 'valibot';
import { parseMessageId } from '../../../shared/ids.ts';
import { getItem, update } from '../../../shared/table/calls/access.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import { MessageItem } from '../../../shared/table/messages/log/message-item.ts';

function keyOf(messageId: string) {
  const position = parseMessageId(messageId);
  if (!position) throw new Error(`'${messageId}' is not a message id.`);
  return messageKey(position.conversationId, position.sequence);
}

export const getStoredMessage = async (messageId: string): Promise<MessageItem> =>
  v.parse(MessageItem, await getItem(keyOf(messageId)));

/** Returns the number of a message's reactions. Expects the stored count to equal this number. */
export async function countStoredReactions(messageId: string): Promise<number> {
  const { reactions, reaction_count } = await getStoredMessage(messageId);
  const sizes = Object.values(reactions).map(({ size }) => size);
  const count = sizes.reduce((sum, size) => sum + size, 0);
  expect(reaction_count).toBe(count);
  return count;
}

/** Adds `count` reactions with one name, from new contacts, to a message without reactions. */
export const seedReactions = (messageId: string, name: string, count: number) =>
  update({
    Key: keyOf(messageId),
    UpdateExpression: 'SET reactions = :reactions, reaction_count = :count',
    ExpressionAttributeValues: {
      ':reactions': { [name]: new Set(Array.from({ length: count }, (_, n) => `p${n}`)) },
      ':count': count,
    },
  });

/** Removes the stored count, to simulate an old message. */
export const removeReactionCount = (messageId: string) =>
  update({ Key: keyOf(messageId), UpdateExpression: 'REMOVE reaction_count' });
