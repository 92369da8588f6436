import type { Caller } from '../../caller.ts';
import type { MessageExpansion } from '../../contract/resources/expand.ts';
import type { Message } from '../../contract/resources/message.ts';
import { parseMessageId } from '../../ids.ts';
import { type Item, lookUpItems } from '../calls/access.ts';
import { getContacts } from '../contacts.ts';
import { type Key, messageKey } from '../keys/keys.ts';
import { readContent } from '../messages/log/content-item.ts';
import {
  type MessageItem,
  type MessageWithContent,
  parseMessage,
  toMessageReply,
} from '../messages/log/message-item.ts';

type Expanded = Pick<Message, 'reply_to_id' | MessageExpansion>;
type GetExpansion = (message: MessageItem) => Expanded;

/** Returns a lookup of messages' expanded fields, or `undefined` if no expansion is requested. */
export async function expandMessages(
  caller: Caller,
  messages: readonly MessageItem[],
  expansions: readonly MessageExpansion[],
): Promise<GetExpansion | undefined> {
  if (expansions.length === 0) return undefined;
  const getQuoted = await readQuoted(expansions.includes('reply_to') ? messages : []);
  return (message) => ({
    ...(expansions.includes('reply_to') && {
      reply_to_id: message.reply_to_id ?? null,
      reply_to: getQuoted(message, caller.id) ?? null,
    }),
    ...(expansions.includes('mentions') && { mentions: message.mentions ?? [] }),
  });
}

/**
 * Reads the senders and quoted messages that events show. Returns a function that renders a
 * message, including expanded fields for replies and mentions.
 */
export async function createEventMessageRenderer(
  messages: readonly MessageItem[],
): Promise<(message: MessageWithContent, viewerId: string) => Message> {
  const [getContact, getQuoted] = await Promise.all([
    getContacts(messages.map(({ sent_by }) => sent_by)),
    readQuoted(messages),
  ]);
  return (message, viewerId) => ({
    ...toMessageReply(viewerId, getContact(message.sent_by), message),
    ...(message.reply_to_id && {
      reply_to_id: message.reply_to_id,
      reply_to: getQuoted(message, viewerId) ?? null,
    }),
    ...(message.mentions && { mentions: message.mentions }),
  });
}

async function readQuoted(
  messages: readonly MessageItem[],
): Promise<(message: MessageItem, viewerId: string) => Message | undefined> {
  const findItem = await lookUpItems(messages.flatMap((message) => toQuotedKey(message) ?? []));
  const findEntry = (message: MessageItem) => {
    const key = toQuotedKey(message);
    return key && parseQuoted(findItem(key), message);
  };
  const entries = messages.flatMap((message) => findEntry(message) ?? []);
  const [getContact, addContent] = await Promise.all([
    getContacts(entries.map(({ sent_by }) => sent_by)),
    readContent(entries),
  ]);
  return (message, viewerId) => {
    const entry = findEntry(message);
    return entry && toMessageReply(viewerId, getContact(entry.sent_by), addContent(entry));
  };
}

function toQuotedKey({ reply_to_id = '' }: MessageItem): Key | undefined {
  const position = parseMessageId(reply_to_id);
  return position && messageKey(position.conversationId, position.sequence);
}

function parseQuoted(item: Item | undefined, { reply_to_id }: MessageItem) {
  const quoted = parseMessage(item);
  return quoted?.id === reply_to_id ? quoted : undefined;
}
