import type { MessagePosition } from '../../../ids.ts';
import type { ConversationItem } from '../../conversations/items/conversation-item.ts';
import { isMessage, type MessageItem } from '../log/message-item.ts';
import { continueReading, openLog } from '../log/read-log.ts';
import { newestFirst, toPosition } from './message-order.ts';

/** Messages a probe reads, and one more at its start: at half a kilobyte each, that is one read unit. */
const windowSize = 7;
/** More of them pay where messages come evenly, and cost where they do not. */
const extraProbes = 2;

/** A place of the log, and the time (milliseconds) of what is there. */
export interface SearchBound {
  sequence: number;
  time: number;
}

/** What a conversation's item tells of its log. */
export type LogSummary = Pick<
  ConversationItem,
  'id' | 'created_at' | 'last_message_at' | 'message_count'
>;

/** The messages of a log on both sides of a position. */
export interface Neighbours {
  /** The newest one at the position or below it. */
  older: MessageItem | undefined;
  /** The oldest one above it. */
  newer: MessageItem | undefined;
}

/**
 * Finds where a position of the list across conversations falls in one conversation's log; the position is not older than
 * the conversation. As times never go back there, it can be searched: each probe reads a few messages where the place would
 * be if they came evenly, but near enough to the middle that halving what is left still takes no more than `spareProbes`
 * probes above halving from the start.
 */
export async function findNeighbours(
  { id, created_at, last_message_at = created_at, message_count }: LogSummary,
  position: MessagePosition,
): Promise<Neighbours> {
  // All up to `low` is known to be older; all from `high` on is newer.
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

/** A few messages downwards from the place, itself included; `ended` when there are no others below. */
async function readWindow(
  conversationId: string,
  from: number,
): Promise<{ messages: MessageItem[]; ended: boolean }> {
  const reading = await openLog({ conversationId, direction: 'older', from, count: windowSize });
  const { entries, next } = await continueReading(reading);
  return { messages: entries.filter(isMessage), ended: next === undefined };
}

/** Where the time would be between the edges, but so that neither part is longer than `most`, or than half of the whole. */
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
