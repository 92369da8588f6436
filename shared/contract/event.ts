import * as v from 'valibot';
import { Conversation } from './conversation.ts';
import { Deleted } from './deleted.ts';
import { listOf } from './list.ts';
import { Message } from './message.ts';
import { Timestamp } from './values.ts';

const Ordinal = v.pipe(v.number(), v.integer(), v.minValue(1));

export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
] as const;
export type EventType = (typeof eventTypes)[number];

/** What is left to say of a message that is gone. */
export const DeletedMessage = v.strictObject({
  id: v.string(),
  conversation_id: v.string(),
  deleted: v.literal(true),
});
export const deletedMessage = (
  id: string,
  conversation_id: string,
): v.InferOutput<typeof DeletedMessage> => ({ id, conversation_id, deleted: true });

/** A change that has been made, as it is told to one reader. */
export const Event = v.strictObject({
  id: v.pipe(
    v.string(),
    v.description('Of this change, wherever it is told: in the feed and in a push.'),
  ),
  type: v.pipe(v.picklist(eventTypes), v.description('What happened.')),
  created_at: Timestamp,
  version: v.pipe(
    Ordinal,
    v.description(
      'Of `payload`: it grows with each change. A client applies what is higher than it knows, and that a thing is deleted always.',
    ),
  ),
  feed: v.pipe(
    v.string(),
    v.description('Which feed tells it: that of the reader alone, or that of one of their groups.'),
  ),
  place: v.pipe(
    Ordinal,
    v.description(
      'Its place in that feed. Places have no gaps, but where something is not for the reader to see.',
    ),
  ),
  payload: v.pipe(
    v.nullable(v.union([Message, Conversation, DeletedMessage, Deleted])),
    v.description(
      'The whole thing as the reader sees it, or that it is deleted. Null only in a push, of what the reader finds in the feed.',
    ),
  ),
});
export type Event = v.InferOutput<typeof Event>;

export const EventPage = listOf(Event);
