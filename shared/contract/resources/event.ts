import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';
import { Conversation } from './conversation.ts';
import { Deleted } from './deleted.ts';
import { Message } from './message.ts';

const PositiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1));

export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
] as const;
export type EventType = (typeof eventTypes)[number];

export const DeletedMessage = v.strictObject({
  id: v.string(),
  conversation_id: v.string(),
  deleted: v.literal(true),
});
export const toDeletedMessage = (
  id: string,
  conversation_id: string,
): v.InferOutput<typeof DeletedMessage> => ({ id, conversation_id, deleted: true });

/** A committed change, as one reader sees it. */
export const Event = v.strictObject({
  id: v.pipe(v.string(), v.description('Id of the change, the same in the feed and in a push.')),
  type: v.pipe(v.picklist(eventTypes), v.description('What happened.')),
  created_at: Timestamp,
  version: v.pipe(
    PositiveInteger,
    v.description(
      'Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have; a deletion always wins.',
    ),
  ),
  feed: v.pipe(
    v.string(),
    v.description(
      "Feed that contains the event: the reader's own, or that of one of their groups.",
    ),
  ),
  place: v.pipe(
    PositiveInteger,
    v.description(
      'Sequence number in that feed. Gaps occur only where the reader may not see an event.',
    ),
  ),
  payload: v.pipe(
    v.nullable(v.union([Message, Conversation, DeletedMessage, Deleted])),
    v.description(
      'The resource as the reader sees it now, or its deletion. Null in a list if an earlier event of the page has it, and in a push if only the feed has it.',
    ),
  ),
});
export type Event = v.InferOutput<typeof Event>;

export const EventPage = listSchema(Event);
