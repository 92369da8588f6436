import { parseMessageId } from '../../ids.ts';
import { isNewTo, markRead, mostMarkable } from './mark-read.ts';
import { messagesOf, openLog } from './read-log.ts';

/** As a page of a list has at most. */
const mostMarked = 100;

/**
 * Marks as read what a list of the messages up to that one would: the newest of them, and no more than may be marked at
 * once. The reader takes part in the conversation, and it has given out the message's place.
 */
export async function markReadUpTo(readerId: string, messageId: string): Promise<void> {
  const position = parseMessageId(messageId);
  if (!position) return;
  const { conversationId, sequence } = position;
  const from = sequence + 1;
  const range = { conversationId, direction: 'older', from, count: mostMarked } as const;
  const { messages } = await messagesOf(await openLog(range));
  const given = messages.slice(0, mostMarkable(readerId, messages));
  await Promise.all(given.filter((message) => isNewTo(readerId, message)).map(markRead));
}
