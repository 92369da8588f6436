import { notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { parseMessageId } from '../../../ids.ts';
import { getItem, getItems, type Item } from '../../calls/access.ts';
import {
  type ConversationItem,
  parseVisibleConversation,
} from '../../conversations/items/conversation-item.ts';
import { conversationKey, type Key, messageKey } from '../../keys/keys.ts';
import { isMessage, type MessageItem, toLogEntry } from '../log/message-item.ts';

/** Location of a message in a conversation in which the caller participates. */
export interface MessageLocation {
  key: Key;
  sequence: number;
  conversation: ConversationItem;
}

/** Returns a message's location. Throws `not_found` if the caller may not see it. */
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

/** Returns the message and its location. Throws `not_found` if the caller may not see it. */
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

/** Returns the message found. Throws `not_found` if its id differs: it has never existed. */
export function requireMessage(found: Item | undefined, id: string): MessageItem {
  const entry = found && toLogEntry(found);
  if (!entry || !isMessage(entry) || entry.id !== id) throw notFound('message_id');
  return entry;
}
