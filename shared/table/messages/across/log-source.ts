import type { MessagePosition } from '../../../ids.ts';
import type { MessageItem } from '../log/message-item.ts';
import { type LogRange, type LogReading, openLog, readMessages } from '../log/read-log.ts';
import type { MessageSource, ReadResult, Walk } from './collect-messages.ts';
import { findNeighbors, type LogSummary, type Neighbors } from './find-neighbors.ts';
import { getOrder, newestFirst, toPosition } from './message-order.ts';

const emptyResult: ReadResult = { messages: [], sources: [] };

/** Returns a source that has the given bound and reads a log after the sequence number `from`. */
export function createLogSource(
  walk: Walk,
  conversationId: string,
  bound: MessagePosition,
  from: number | undefined,
): MessageSource {
  const range = { conversationId, direction: walk.direction, from };
  return {
    bound,
    unchecked: conversationId,
    read: async (count, visible) => {
      const [reading, ids] = await Promise.all([openLog({ ...range, count }), visible]);
      return ids.has(conversationId) ? toReadResult(walk, reading) : emptyResult;
    },
  };
}

/** Returns a source that first searches a conversation's log for the start of the walk. */
export const createUnsearchedSource = (
  walk: Walk,
  conversation: LogSummary,
  start: MessagePosition,
): MessageSource => ({ bound: start, read: () => searchLog(walk, conversation, start) });

async function searchLog(
  walk: Walk,
  conversation: LogSummary,
  start: MessagePosition,
): Promise<ReadResult> {
  const neighbors = await findNeighbors(conversation, start);
  const { older, newer } = neighbors;
  const sourceFrom = (bound: MessagePosition, last: MessageItem | undefined): ReadResult => ({
    messages: [],
    sources: [createLogSource(walk, conversation.id, bound, last?.sequence)],
  });
  const isStart = older && newestFirst(toPosition(older), start) === 0;
  if (isStart && walk.direction === 'older') return sourceFrom(start, older);
  const [next, last] = walk.direction === 'older' ? [older, newer] : [newer, older];
  if (hasGap(neighbors)) return sourceFrom(start, last);
  return next ? sourceFrom(toPosition(next), last) : emptyResult;
}

/** Reports whether a send in progress may add a message between the neighbors. */
const hasGap = ({ older, newer }: Neighbors): boolean =>
  newer !== undefined && newer.sequence - (older?.sequence ?? 0) > 1;

async function toReadResult(walk: Walk, reading: LogReading): Promise<ReadResult> {
  const { range } = reading;
  const { messages, hasMore } = await readMessages(reading);
  const last = messages.at(-1);
  return {
    messages: messages.filter(isInWalk(walk)),
    sources: last && hasMore ? [createRestSource(walk, range, last)] : [],
  };
}

/**
 * Reports whether a message follows the walk's start position in the walk's direction. If the index
 * was stale, a read may also return earlier messages.
 */
const isInWalk =
  ({ start, direction }: Walk) =>
  (message: MessageItem): boolean =>
    !start || getOrder(direction)(toPosition(message), start) > 0;

function createRestSource(walk: Walk, range: LogRange, last: MessageItem): MessageSource {
  const { sequence } = last;
  return {
    bound: { ...toPosition(last), sequence: sequence + (walk.direction === 'older' ? -1 : 1) },
    read: async (count) => toReadResult(walk, await openLog({ ...range, from: sequence, count })),
  };
}
