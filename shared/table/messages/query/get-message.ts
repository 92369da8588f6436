import { notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { parseMessageId } from '../../../ids.ts';
import { getItem, type Item, lookUpItems } from '../../calls/access.ts';
import { requireUnblocked } from '../../conversations/items/blocked.ts';
import type { ConversationItem } from '../../conversations/items/conversation-item.ts';
import { findVisibleConversation } from '../../conversations/items/find-access.ts';
import { conversationKey, type Key, messageKey } from '../../keys/keys.ts';
import { readContent } from '../log/content-item.ts';
import { type MessageItem, type MessageWithContent, parseMessage } from '../log/message-item.ts';

export interface MessageLocation {
  key: Key;
  sequence: number;
  conversation: ConversationItem;
}

/** Returns a message and its location. Throws `not_found` if the caller may not see it. */
export async function getMessage(
  id: string,
  caller: Caller,
): Promise<MessageLocation & { message: MessageWithContent }> {
  const keys = parseLocation(id);
  const findItem = await lookUpItems([keys.conversationKey, keys.key]);
  const location = await requireVisible(keys, caller, findItem(keys.conversationKey));
  return { ...location, message: await requireWholeMessage(findItem(keys.key), id) };
}

/**
 * Returns the location of a message that the caller wants to change. The change must check that the
 * message exists. Throws `not_found`, `blocked` or `blocking`.
 */
export async function getWritableLocation(id: string, caller: Caller): Promise<MessageLocation> {
  const keys = parseLocation(id);
  const location = await requireVisible(keys, caller, await getItem(keys.conversationKey));
  // If the message is missing, `not_found` takes precedence over the block.
  return location.conversation.blocked_by ? getWritableMessage(id, caller) : location;
}

/**
 * Returns a message that the caller wants to change. Throws `not_found`, `blocked` or `blocking`.
 */
export async function getWritableMessage(id: string, caller: Caller) {
  const found = await getMessage(id, caller);
  requireUnblocked(found.conversation, caller);
  return found;
}

function parseLocation(id: string) {
  const position = parseMessageId(id);
  if (!position) throw notFound('message_id');
  const { conversationId, sequence } = position;
  return {
    sequence,
    key: messageKey(conversationId, sequence),
    conversationKey: conversationKey(conversationId),
  };
}

async function requireVisible(
  { key, sequence }: ReturnType<typeof parseLocation>,
  caller: Caller,
  item: Item | undefined,
): Promise<MessageLocation> {
  const conversation = await findVisibleConversation(caller, item);
  if (!conversation) throw notFound('message_id');
  return { key, sequence, conversation };
}

/** Returns the found message with its content. Throws `not_found` if `requireMessage` does. */
export async function requireWholeMessage(
  found: Item | undefined,
  id: string,
): Promise<MessageWithContent> {
  const entry = requireMessage(found, id);
  return (await readContent([entry]))(entry);
}

/**
 * Returns the found message. Throws `not_found` if the message is missing or deleted, or if its id
 * is not `id`.
 */
export function requireMessage(found: Item | undefined, id: string): MessageItem {
  const message = parseMessage(found);
  if (message?.id !== id) throw notFound('message_id');
  return message;
}
