import * as v from 'valibot';
import { clock } from '../../../clock.ts';
import { parseMessageId } from '../../../ids.ts';
import { recordLostMark } from '../../../log/invocation.ts';
import { update } from '../../calls/access.ts';
import type { ConversationItem } from '../../conversations/items/conversation-item.ts';
import { messageKey } from '../../keys/keys.ts';
import { readContent } from '../log/content-item.ts';
import {
  countContentBytes,
  countReactionBytes,
  MessageItem,
  type MessageWithContent,
} from '../log/message-item.ts';
import { openLog, readMessages } from '../log/read-log.ts';

/** The reader for whom messages are marked as read, and whether the marks are hidden. */
export interface Marking {
  readerId: string;
  /** Whether the other contact blocks the reader and therefore must not see the mark. */
  isHidden: boolean;
}

export const toMarking = (readerId: string, { blocked_by }: ConversationItem): Marking => ({
  readerId,
  isHidden: [...(blocked_by ?? [])].some((blocker) => blocker !== readerId),
});

/** Reports whether a message from another member is not yet marked as read for the reader. */
export const isUnreadBy = ({ readerId, isHidden }: Marking, message: MessageItem): boolean =>
  message.sent_by !== readerId &&
  message.read_at === undefined &&
  !(isHidden && message.hidden_read_at !== undefined);

/** Marks a message as read and returns it. If the write fails, the next read retries it. */
export async function markRead(
  message: MessageWithContent,
  marking: Marking,
): Promise<MessageWithContent> {
  const now = clock.now();
  try {
    const written = await writeReadAt(message, now, marking);
    if (!written.done) return { ...message, read_at: now };
    const marked = v.parse(MessageItem, written.item);
    return (await readContent([marked], [message]))(marked);
  } catch {
    recordLostMark();
    return message;
  }
}

const writeReadAt = (message: MessageItem, now: number, { isHidden }: Marking) =>
  update({
    Key: messageKey(message.conversation_id, message.sequence),
    ...(isHidden
      ? {
          UpdateExpression: 'SET hidden_read_at = if_not_exists(hidden_read_at, :now)',
          ExpressionAttributeValues: { ':now': now },
        }
      : {
          UpdateExpression: 'SET read_at = if_not_exists(read_at, :now) ADD version :one',
          ExpressionAttributeValues: { ':now': message.hidden_read_at ?? now, ':one': 1 },
        }),
    // Requires that the message was not deleted after this request read it.
    ConditionExpression: 'attribute_exists(id)',
    ReturnValues: 'ALL_NEW',
  });

/**
 * Maximum write units. A partition allows 1,000 write units per second, so sends wait at most a
 * second.
 */
const maxWriteUnits = 1000;
/** Maximum size of an item in bytes, excluding content and reactions. */
const itemOverheadBytes = 1024;

/**
 * Returns the number of messages, counted from the first, that may be marked at once; at least 1.
 * Marking a message costs one write unit per kilobyte of its item.
 */
export function getMaxMarkable(marking: Marking, messages: MessageItem[]): number {
  let units = 0;
  const firstOverLimit = messages.findIndex((message) => {
    if (isUnreadBy(marking, message)) {
      units += Math.ceil((countStoredBytes(message) + itemOverheadBytes) / 1024);
    }
    return units > maxWriteUnits;
  });
  return firstOverLimit === -1 ? messages.length : Math.max(1, firstOverLimit);
}

const countStoredBytes = (message: MessageItem): number =>
  (message.content_id === undefined ? countContentBytes(message) : 0) + countReactionBytes(message);

/** Maximum number of messages to mark: the size of a full page. */
const maxMarked = 100;

/**
 * Marks a message and up to 99 older messages as read, as listing them would. The reader must be a
 * participant.
 */
export async function markReadUpTo(marking: Marking, messageId: string): Promise<void> {
  const position = parseMessageId(messageId);
  if (!position) return;
  const { conversationId, sequence } = position;
  const from = sequence + 1;
  const range = { conversationId, direction: 'older', from, count: maxMarked } as const;
  const { messages } = await readMessages(await openLog(range));
  const markable = messages.slice(0, getMaxMarkable(marking, messages));
  const unread = markable.filter((message) => isUnreadBy(marking, message));
  const now = clock.now();
  await Promise.all(
    unread.map((message) => writeReadAt(message, now, marking).catch(recordLostMark)),
  );
}
