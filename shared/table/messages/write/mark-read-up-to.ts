import { parseMessageId } from '../../../ids.ts';
import { openLog, readMessages } from '../log/read-log.ts';
import { getMaxMarkable, isUnreadBy, markRead } from './mark-read.ts';

/** As a page of a list has at most. */
const maxMarked = 100;

/**
 * Marks as read what a list of the messages up to that one would: the newest of them, and no more than may be marked at
 * once. The reader takes part in the conversation, and it has given out the message's place.
 */
export async function markReadUpTo(readerId: string, messageId: string): Promise<void> {
  const position = parseMessageId(messageId);
  if (!position) return;
  const { conversationId, sequence } = position;
  const from = sequence + 1;
  const range = { conversationId, direction: 'older', from, count: maxMarked } as const;
  const { messages } = await readMessages(await openLog(range));
  const markable = messages.slice(0, getMaxMarkable(readerId, messages));
  await Promise.all(markable.filter((message) => isUnreadBy(readerId, message)).map(markRead));
}
