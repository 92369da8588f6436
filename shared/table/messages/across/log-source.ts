import type { MessagePosition } from '../../../ids.ts';
import type { MessageItem } from '../items.ts';
import { type LogRange, type LogReading, messagesOf, openLog } from '../read-log.ts';
import { findPlace, type LogFacts, type Neighbours } from './find-place.ts';
import { newestFirst, orderOf, positionOf } from './order.ts';
import type { Given, MessageSource, Walk } from './walk.ts';

const nothing: Given = { messages: [], sources: [] };

/** A conversation's messages as a source of the walk that stands at `bound`, to be read from the place `from`, itself not given. */
export function unopened(
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
      return ids.has(conversationId) ? given(walk, reading) : nothing;
    },
  };
}

/** A source whose log has to be searched for the walk's start by reading in it. */
export const unsearched = (
  walk: Walk,
  conversation: LogFacts,
  start: MessagePosition,
): MessageSource => ({ bound: start, read: () => place(walk, conversation, start) });

/** Finds where the start is in the log. That tells which message comes next, so that it is read only if that is wanted. */
async function place(walk: Walk, conversation: LogFacts, start: MessagePosition): Promise<Given> {
  const neighbours = await findPlace(conversation, start);
  const { older, newer } = neighbours;
  const from = (bound: MessagePosition, last: MessageItem | undefined): Given => ({
    messages: [],
    sources: [unopened(walk, conversation.id, bound, last?.sequence)],
  });
  const isStart = older && newestFirst(positionOf(older), start) === 0;
  if (isStart && walk.direction === 'older') return from(start, older);
  const [next, last] = walk.direction === 'older' ? [older, newer] : [newer, older];
  if (haveGap(neighbours)) return from(start, last);
  return next ? from(positionOf(next), last) : nothing;
}

/** Between them may be a message that is being sent. */
const haveGap = ({ older, newer }: Neighbours): boolean =>
  newer !== undefined && newer.sequence - (older?.sequence ?? 0) > 1;

/** Those of its messages that are on the walk, and the rest of the log beyond it. */
async function given(walk: Walk, reading: LogReading): Promise<Given> {
  const { range } = reading;
  const { messages, more } = await messagesOf(reading);
  const last = messages.at(-1);
  return {
    messages: messages.filter(isOn(walk)),
    sources: last && more ? [restOfLog(walk, range, last)] : [],
  };
}

/** An index may be behind, and its conversation have messages from before the start. */
const isOn =
  ({ start, direction }: Walk) =>
  (message: MessageItem): boolean =>
    !start || orderOf(direction)(positionOf(message), start) > 0;

function restOfLog(walk: Walk, range: LogRange, last: MessageItem): MessageSource {
  const { sequence } = last;
  return {
    bound: { ...positionOf(last), sequence: sequence + (walk.direction === 'older' ? -1 : 1) },
    read: async (count) => given(walk, await openLog({ ...range, from: sequence, count })),
  };
}
