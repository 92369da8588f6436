import type { MessagePosition } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import { type InboxEntry, toLatestPosition } from '../../conversations/query/read-inbox.ts';
import { messageKey } from '../../keys/keys.ts';
import type { MessageSource, Walk } from './collect-messages.ts';
import { extraProbes, interpolateSequence, type SearchBound } from './interpolate-sequence.ts';
import { createLogSource, createUnsearchedSource } from './log-source.ts';
import { newestFirst } from './message-order.ts';
import { toProbeResult } from './probe-result.ts';

/**
 * Returns the source of a conversation's messages, or `[]` if the walk includes no message of the
 * conversation. The inbox entry suffices if the conversation has been inactive since `walk.start`,
 * was created after `walk.start`, or has one message. Otherwise, searches for the start, one probe
 * at a time.
 */
export function createMessageSources(walk: Walk, entry: InboxEntry): MessageSource[] {
  const { start, direction } = walk;
  const latest = toLatestPosition(entry);
  if (!start || newestFirst(latest, start) > 0) {
    const end = { bound: latest, sequence: entry.message_count, from: undefined };
    return [createProbedSource(walk, entry, end)];
  }
  if (entry.created_at > start.sentAt) {
    const { created_at, last_message_at = created_at, message_count } = entry;
    const first = { sequence: 1, time: message_count === 1 ? last_message_at : created_at };
    const bound = toBoundPosition(entry.id, first);
    return direction === 'older'
      ? []
      : [createProbedSource(walk, entry, { bound, sequence: 1, from: undefined })];
  }
  return createSearchSources(
    { walk, entry, start },
    getInitialBounds(entry, start),
    getFirstGuess(entry, start),
  );
}

/** Messages up to `low` are at or before the start; messages from `high` on are newer. */
interface SearchBounds {
  low: SearchBound;
  high: SearchBound;
  /** Maximum further probes. As this number falls, probes move closer to the range's middle. */
  remainingProbes: number;
}

function getInitialBounds(entry: InboxEntry, start: MessagePosition): SearchBounds {
  const { id, created_at, last_message_at = created_at, message_count } = entry;
  const last: SearchBound = { sequence: message_count, time: last_message_at };
  const isOlder = newestFirst(toBoundPosition(id, last), start) >= 0;
  return {
    low: isOlder ? last : { sequence: 0, time: created_at },
    high: isOlder ? { sequence: message_count + 1, time: last_message_at } : last,
    remainingProbes: Math.ceil(Math.log2(message_count)) + extraProbes,
  };
}

const toBoundPosition = (
  conversationId: string,
  { sequence, time }: SearchBound,
): MessagePosition => ({ conversationId, sequence, sentAt: time });

/**
 * If the start is in this conversation, returns the next sequence number, which the search probes
 * first.
 */
const getFirstGuess = ({ id }: InboxEntry, start: MessagePosition) =>
  start.conversationId === id ? start.sequence + 1 : undefined;

interface Search {
  walk: Walk;
  entry: InboxEntry;
  start: MessagePosition;
}

function createSearchSources(
  context: Search,
  bounds: SearchBounds,
  firstGuess?: number,
): MessageSource[] {
  const { walk, entry, start } = context;
  const { low, high, remainingProbes } = bounds;
  if (high.sequence - low.sequence <= 1) return toFoundSources(context, bounds);
  const guess =
    firstGuess ??
    1 + Math.floor(interpolateSequence(start.sentAt, low, high, 2 ** (remainingProbes - 1)));
  const sequence = Math.min(guess, high.sequence - 1);
  return [
    {
      bound: start,
      probe: {
        key: messageKey(entry.id, sequence),
        resolve: (item) => {
          const fewer = { ...bounds, remainingProbes: remainingProbes - 1 };
          const narrowed = narrowBounds(context, fewer, item);
          // If a probe is inconclusive, for example because the probed message was just sent, only
          // a read of the log finds the start.
          return narrowed
            ? createSearchSources(context, narrowed)
            : [createUnsearchedSource(walk, entry, start)];
        },
      },
    },
  ];
}

/** Returns bounds narrowed by a probe between them; `undefined` if the probe is inconclusive. */
function narrowBounds(
  { entry, start }: Search,
  bounds: SearchBounds,
  item?: Item,
): SearchBounds | undefined {
  const result = toProbeResult(entry.id, item);
  if (!result) return undefined;
  const { message, below, isExact } = result;
  const toBound = ({ sequence, sentAt }: MessagePosition) => ({ sequence, time: sentAt });
  const isBelow = newestFirst(below, start);
  if (isBelow < 0) return isExact ? { ...bounds, high: toBound(below) } : undefined;
  const probed = message ?? { ...below, sequence: below.sequence + 1 };
  // A tombstone stores only the timestamp of the entry below it, so the search continues above the
  // tombstone. If the entry below is the start, the search ends.
  const isNewer = message ? newestFirst(message, start) < 0 : isBelow === 0;
  return isNewer
    ? { ...bounds, low: toBound(below), high: toBound(probed) }
    : { ...bounds, low: toBound(probed) };
}

/**
 * Returns a source that starts between two adjacent entries, or `[]` if the walk has no next entry.
 */
function toFoundSources(context: Search, { low, high }: SearchBounds): MessageSource[] {
  const { walk, entry } = context;
  if (walk.direction === 'newer') {
    if (high.sequence > entry.message_count) return [];
    const bound = toBoundPosition(entry.id, high);
    return [
      createProbedSource(walk, entry, { bound, sequence: high.sequence, from: low.sequence }),
    ];
  }
  if (low.sequence === 0) return [];
  const bound = toBoundPosition(entry.id, low);
  const from = isStart(context, low) ? low.sequence : high.sequence;
  return [createProbedSource(walk, entry, { bound, sequence: low.sequence, from })];
}

const isStart = ({ entry, start }: Search, bound: SearchBound): boolean =>
  newestFirst(toBoundPosition(entry.id, bound), start) === 0;

interface SourceStart {
  bound: MessagePosition;
  sequence: number;
  /** Sequence number to read after; `undefined` reads the whole log in the walk's direction. */
  from: number | undefined;
}

/** Maximum number of consecutive probes that find no message. Then the source reads the log. */
const maxProbes = 8;

/**
 * Returns a source that can be probed. If its first entries are deleted, probes skip them cheaply.
 */
function createProbedSource(
  walk: Walk,
  entry: InboxEntry,
  { bound, sequence, from }: SourceStart,
  remainingProbes = maxProbes,
): MessageSource {
  const source = createLogSource(walk, entry.id, bound, from);
  if (remainingProbes === 0) return source;
  const resolve = (item: Item | undefined): MessageSource[] => {
    const result = toProbeResult(entry.id, item);
    // If the walk starts at the end of the log, no message above this entry has been returned yet,
    // so the walk may skip a gap.
    const isOpen = from === undefined && walk.direction === 'older';
    if (result?.message) return [createLogSource(walk, entry.id, result.message, from)];
    if (!result && !isOpen) return [source];
    const tombstoneRange = result?.tombstoneRange;
    const next =
      walk.direction === 'older'
        ? (tombstoneRange?.rangeStart ?? sequence) - 1
        : (tombstoneRange?.rangeEnd ?? sequence) + 1;
    if (next < 1 || next > entry.message_count) return [];
    const sentAt =
      walk.direction === 'older' ? (result?.below.sentAt ?? bound.sentAt) : bound.sentAt;
    const nextStart = { bound: { ...bound, sequence: next, sentAt }, sequence: next, from };
    return [createProbedSource(walk, entry, nextStart, remainingProbes - 1)];
  };
  return { ...source, probe: { key: messageKey(entry.id, sequence), resolve } };
}
