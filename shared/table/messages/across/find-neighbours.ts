import type { MessagePosition } from '../../../ids.ts';
import type { InboxEntry } from '../../conversations/query/read-inbox.ts';
import { isMessage, type MessageItem } from '../log/message-item.ts';
import { continueReading, openLog } from '../log/read-log.ts';
import { newestFirst, toPosition } from './message-order.ts';

/** Messages per probe, and one more at its start. At half a kilobyte they cost one read unit. */
const windowSize = 7;
/** Probes beyond bisection. More pay off only if messages are evenly spaced in time. */
export const extraProbes = 2;

/** A sequence number and the time (milliseconds) of its message. */
export interface SearchBound {
  sequence: number;
  time: number;
}

export type LogSummary = Omit<InboxEntry, 'activity'>;

export interface Neighbours {
  /** Newest message at or below the position. */
  older: MessageItem | undefined;
  /** Oldest message above the position. */
  newer: MessageItem | undefined;
}

/**
 * Finds where a position of the list across conversations, not older than the conversation, falls
 * in its log. Each probe reads a few messages where the position would be if messages were evenly
 * spaced, near enough to the middle for at most `extraProbes` more than bisection.
 */
export async function findNeighbours(
  { id, created_at, last_message_at = created_at, message_count }: LogSummary,
  position: MessagePosition,
): Promise<Neighbours> {
  // All entries up to `low` are older; all entries from `high` are newer.
  let low: SearchBound = { sequence: 0, time: created_at };
  let high: SearchBound = { sequence: message_count + 1, time: last_message_at };
  const found: Neighbours = { older: undefined, newer: undefined };
  let guess = position.conversationId === id ? position.sequence : undefined;
  let probes = Math.ceil(Math.log2(high.sequence / windowSize)) + extraProbes;
  while (high.sequence - low.sequence > 1) {
    probes -= 1;
    guess ??= interpolateSequence(position.sentAt, low, high, windowSize * 2 ** probes);
    const from = Math.min(Math.round(guess + windowSize / 2), high.sequence);
    guess = undefined;

    const { messages, ended } = await readWindow(id, from);
    const older = messages.find((message) => newestFirst(toPosition(message), position) >= 0);
    const newer = messages.findLast((message) => newestFirst(toPosition(message), position) < 0);
    if (older) found.older = older;
    if (newer) {
      found.newer = newer;
      high = { sequence: newer.sequence, time: newer.created_at };
      if (older || ended) break;
    } else {
      low = { sequence: from, time: older?.created_at ?? low.time };
    }
  }
  return found;
}

/** Returns a few messages from the sequence number downwards; `ended` if none are below. */
async function readWindow(
  conversationId: string,
  from: number,
): Promise<{ messages: MessageItem[]; ended: boolean }> {
  const reading = await openLog({ conversationId, direction: 'older', from, count: windowSize });
  const { entries, next } = await continueReading(reading);
  return { messages: entries.filter(isMessage), ended: next === undefined };
}

/** Interpolates a sequence number, so that no part exceeds the maximum or half of the range. */
export function interpolateSequence(
  time: number,
  low: SearchBound,
  high: SearchBound,
  maxLength: number,
): number {
  const length = high.sequence - low.sequence;
  const share = high.time > low.time ? (time - low.time) / (high.time - low.time) : 1 / 2;
  const longest = Math.max(maxLength, length / 2);
  return clamp(high.sequence - longest, low.sequence + share * length, low.sequence + longest);
}

const clamp = (min: number, value: number, max: number): number =>
  Math.min(Math.max(value, min), max);
