import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';
import { Conversation } from './conversation.ts';
import { Deleted } from './deleted.ts';
import { Message } from './message.ts';
import { Reader } from './reader.ts';

const PositiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1));

export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
  'reader.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

export const DeletedMessage = v.strictObject({
  id: v.string(),
  conversation_id: v.string(),
  deleted: v.literal(true),
});
export type DeletedMessage = v.InferOutput<typeof DeletedMessage>;
export const toDeletedMessage = (id: string, conversation_id: string): DeletedMessage => ({
  id,
  conversation_id,
  deleted: true,
});

const eventFields = {
  id: v.pipe(v.string(), v.description('Id of the change, the same in the feed and in a push.')),
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
};

const eventSchema = <const Types extends readonly EventType[], Payload extends v.GenericSchema>(
  types: Types,
  payload: Payload,
) =>
  v.strictObject({
    ...eventFields,
    type: v.picklist(types),
    payload: v.pipe(
      v.nullable(payload),
      v.description(
        'Null in a list if an earlier event of the page has it, and in a push if only the feed has it.',
      ),
    ),
  });

export const MessageEvent = v.pipe(
  eventSchema(['message.created', 'message.updated'], v.union([Message, DeletedMessage])),
  v.description('A message was sent or changed. The payload shows its current state.'),
);
export const MessageDeletedEvent = v.pipe(
  eventSchema(['message.deleted'], DeletedMessage),
  v.description('A message was deleted.'),
);
export const ConversationEvent = v.pipe(
  eventSchema(['conversation.created', 'conversation.updated'], v.union([Conversation, Deleted])),
  v.description(
    'A conversation was created or changed. The payload shows its current state, as the reader sees it.',
  ),
);
export const ConversationDeletedEvent = v.pipe(
  eventSchema(['conversation.deleted'], Deleted),
  v.description('A conversation was deleted.'),
);

/** An opening of a direct conversation, for the other contact. */
export const OpenedConversation = v.strictObject({
  id: v.pipe(v.string(), v.description('`<conversation_id>-<contact_id>`.')),
  conversation_id: v.string(),
  ...Reader.entries,
});
export type OpenedConversation = v.InferOutput<typeof OpenedConversation>;

export const ReaderEvent = v.pipe(
  eventSchema(['reader.updated'], OpenedConversation),
  v.description(
    'The other contact of a direct conversation opened it. `version` counts per conversation and contact.',
  ),
);

/** A committed change, as one reader sees it. */
export const Event = v.variant('type', [
  MessageEvent,
  MessageDeletedEvent,
  ConversationEvent,
  ConversationDeletedEvent,
  ReaderEvent,
]);
export type Event = v.InferOutput<typeof Event>;

export const EventPage = listSchema(Event);
