import type { MessagePosition } from '../../../ids.ts';
import type { InboxEntry } from '../../conversations/query/read-inbox.ts';
import type { MessageItem } from '../log/message-item.ts';
import { getNewestMessage } from '../log/read-log.ts';
import { newestFirst, toPosition } from './message-order.ts';

export type LogSummary = Pick<InboxEntry, 'id' | 'message_count'>;

export interface Neighbors {
  /** Newest message at or before the position. */
  older?: MessageItem | undefined;
  /** Oldest message that is newer than the position. */
  newer?: MessageItem | undefined;
}

/**
 * Finds by bisection the messages of a log that are next to a position. The position may be in
 * another conversation. Reads the log, because the cheaper probes find nothing at a sequence number
 * without an entry.
 */
export async function findNeighbors(
  { id, message_count }: LogSummary,
  position: MessagePosition,
): Promise<Neighbors> {
  const found: Neighbors = {};
  // Messages up to `low` are not newer than the position; messages at or above `high` are newer.
  let [low, high] = [0, message_count + 1];
  let middle = position.conversationId === id ? position.sequence : Math.floor(high / 2);
  while (high - low > 1) {
    const message = await getNewestMessage(id, middle);
    if (message && newestFirst(toPosition(message), position) < 0) {
      found.newer = message;
      high = message.sequence;
    } else {
      found.older = message;
      low = middle;
    }
    middle = Math.floor((low + high) / 2);
  }
  return found;
}
