import type { Caller } from '../../../caller.ts';
import { notFound } from '../../../errors.ts';
import { parseMessageId } from '../../../ids.ts';
import { getItem, getItems, type Item } from '../../calls/access.ts';
import {
  type ConversationItem,
  parseVisibleConversation,
} from '../../conversations/items/conversation-item.ts';
import { conversationKey, type Key, messageKey } from '../../keys/keys.ts';
import { isMessage, type MessageItem, toLogEntry } from '../log/message-item.ts';

/** Where a message would be, in a conversation that the caller takes part in. */
export interface MessageLocation {
  key: Key;
  sequence: number;
  conversation: ConversationItem;
}

/** The place that a message's id names. Throws `not_found` for `message_id` if it is not for the caller to see. */
export async function getMessageLocation(id: string, caller: Caller): Promise<MessageLocation> {
  const position = parseMessageId(id);
  if (!position) throw notFound('message_id');
  const { conversationId, sequence } = position;
  const conversation = parseVisibleConversation(
    caller,
    await getItem(conversationKey(conversationId)),
  );
  if (!conversation) throw notFound('message_id');
  return { key: messageKey(conversationId, sequence), sequence, conversation };
}

/** The message of that id with its place. Throws `not_found` for `message_id` if it is not for the caller to see. */
export async function getMessage(
  id: string,
  caller: Caller,
): Promise<MessageLocation & { message: MessageItem }> {
  const position = parseMessageId(id);
  if (!position) throw notFound('message_id');
  const { conversationId, sequence } = position;
  const conversationAt = conversationKey(conversationId);
  const key = messageKey(conversationId, sequence);
  const items = await getItems([conversationAt, key]);
  const conversation = parseVisibleConversation(
    caller,
    items.find(({ sk }) => sk === conversationAt.sk),
  );
  if (!conversation) throw notFound('message_id');
  const found = items.find(({ sk }) => sk === key.sk);
  return { key, sequence, conversation, message: requireMessage(found, id) };
}

/**
 * The message that was found at a place. Throws `not_found` for `message_id` if it is not the one of that id: an id with
 * another time never was one, though its place is taken.
 */
export function requireMessage(found: Item | undefined, id: string): MessageItem {
  const entry = found && toLogEntry(found);
  if (!entry || !isMessage(entry) || entry.id !== id) throw notFound('message_id');
  return entry;
}
