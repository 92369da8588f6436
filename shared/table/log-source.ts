import { findPlace } from './find-place.ts';
import { type InboxEntry, latestPosition } from './inbox.ts';
import type { MessageItem } from './message-items.ts';
import { newestFirst, orderOf, positionOf } from './message-order.ts';
import type { Given, MessageSource, Walk } from './message-walk.ts';
import { messagesOf, readLog, type Stretch } from './read-log.ts';

/**
 * A conversation's messages as a source of the walk. Where the conversation has been active since the walk's start, the
 * start's place in it is looked up first; otherwise all its messages are older, and reading begins at its end.
 */
export function logSource(walk: Walk, conversation: InboxEntry): MessageSource {
  const { start } = walk;
  const latest = latestPosition(conversation);
  const startIsInside = start !== undefined && newestFirst(latest, start) <= 0;
  return {
    bound: startIsInside ? start : latest,
    unchecked: conversation.id,
    read: async (count, visible) => {
      const [stretch, ids] = await Promise.all([
        firstStretch(walk, conversation, startIsInside, count),
        visible,
      ]);
      return ids.has(conversation.id) ? given(walk, stretch) : { messages: [], sources: [] };
    },
  };
}

async function firstStretch(
  { direction, start }: Walk,
  conversation: InboxEntry,
  startIsInside: boolean,
  count: number,
): Promise<Stretch> {
  const range = { conversationId: conversation.id, direction, count };
  if (!start || !startIsInside) return readLog(range);
  const { older, newer } = await findPlace(conversation, start);
  return readLog({ ...range, from: direction === 'older' ? newer : older });
}

/** The messages of a stretch that are on the walk, and the rest of the log beyond it. */
async function given(walk: Walk, stretch: Stretch): Promise<Given> {
  const messages = await messagesOf(stretch);
  const last = messages.at(-1);
  const goesOn = last !== undefined && messages.length === stretch.range.count;
  return {
    messages: messages.filter(isOn(walk)),
    sources: goesOn ? [restOfLog(walk, last)] : [],
  };
}

/** An index may be behind, and its conversation have messages from before the start. */
const isOn =
  ({ start, direction }: Walk) =>
  (message: MessageItem): boolean =>
    !start || orderOf(direction)(positionOf(message), start) > 0;

function restOfLog(walk: Walk, last: MessageItem): MessageSource {
  const { direction } = walk;
  const { conversation_id: conversationId, sequence } = last;
  return {
    bound: { ...positionOf(last), sequence: sequence + (direction === 'older' ? -1 : 1) },
    read: async (count) =>
      given(walk, await readLog({ conversationId, direction, from: sequence, count })),
  };
}
