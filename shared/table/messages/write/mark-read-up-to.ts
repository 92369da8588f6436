import { parseMessageId } from '../../../ids.ts';
import { openLog, readMessages } from '../log/read-log.ts';
import { getMaxMarkable, isUnreadBy, markRead } from './mark-read.ts';

/** Maximum messages marked: those of a full page. */
const maxMarked = 100;

/**
 * Marks messages as read as a list up to this message would: the newest ones, at most as many as
 * may be marked at once. The reader must be a participant, and the sequence number must be
 * reserved.
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
