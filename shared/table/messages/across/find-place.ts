import type { MessagePosition } from '../../../ids.ts';
import type { ConversationItem } from '../../conversations/items.ts';
import { isMessage, type MessageItem } from '../items.ts';
import { openLog, readOn } from '../read-log.ts';
import { newestFirst, positionOf } from './order.ts';

/** Messages a probe reads, and one more at its start: at half a kilobyte each, that is one read unit. */
const window = 7;
/** More of them pay where messages come evenly, and cost where they do not. */
const spareProbes = 2;

/** A place of the log, and the time (milliseconds) of what is there. */
export interface Edge {
  place: number;
  time: number;
}

/** What a conversation's item tells of its log. */
export type LogFacts = Pick<
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
export async function findPlace(
  { id, created_at, last_message_at = created_at, message_count }: LogFacts,
  position: MessagePosition,
): Promise<Neighbours> {
  // All up to `low` is known to be older; all from `high` on is newer.
  let low: Edge = { place: 0, time: created_at };
  let high: Edge = { place: message_count + 1, time: last_message_at };
  const found: Neighbours = { older: undefined, newer: undefined };
  let aim = position.conversationId === id ? position.sequence : undefined;
  let probes = Math.ceil(Math.log2(high.place / window)) + spareProbes;
  while (high.place - low.place > 1) {
    probes -= 1;
    aim ??= aimAt(position.sentAt, low, high, window * 2 ** probes);
    const from = Math.min(Math.round(aim + window / 2), high.place);
    aim = undefined;

    const { messages, ended } = await probe(id, from);
    const older = messages.find((message) => newestFirst(positionOf(message), position) >= 0);
    const newer = messages.findLast((message) => newestFirst(positionOf(message), position) < 0);
    if (older) found.older = older;
    if (newer) {
      found.newer = newer;
      high = { place: newer.sequence, time: newer.created_at };
      if (older || ended) break;
    } else {
      low = { place: from, time: older?.created_at ?? low.time };
    }
  }
  return found;
}

/** A few messages downwards from the place, itself included; `ended` when there are no others below. */
async function probe(
  conversationId: string,
  from: number,
): Promise<{ messages: MessageItem[]; ended: boolean }> {
  const reading = await openLog({ conversationId, direction: 'older', from, count: window });
  const { entries, next } = await readOn(reading);
  return { messages: entries.filter(isMessage), ended: next === undefined };
}

/** Where the time would be between the edges, but so that neither part is longer than `most`, or than half of the whole. */
export function aimAt(time: number, low: Edge, high: Edge, most: number): number {
  const length = high.place - low.place;
  const share = high.time > low.time ? (time - low.time) / (high.time - low.time) : 1 / 2;
  const longest = Math.max(most, length / 2);
  return between(high.place - longest, low.place + share * length, low.place + longest);
}

const between = (least: number, value: number, most: number): number =>
  Math.min(Math.max(value, least), most);
