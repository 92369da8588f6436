import * as v from 'valibot';
import { listSchema } from '../schema/list-schema.ts';
import { Conversation } from './conversation.ts';
import { Deleted } from './deleted.ts';
import { eventSchema } from './event-schema.ts';
import {
  GroupDeletedEvent,
  GroupEvent,
  MemberAddedEvent,
  MemberRemovedEvent,
} from './group-event.ts';
import { Message } from './message.ts';
import { Reader } from './reader.ts';

export * from './group-event.ts';

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

/** A contact's latest opening of a direct conversation, as the other contact sees it. */
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
  GroupEvent,
  MemberAddedEvent,
  MemberRemovedEvent,
  GroupDeletedEvent,
]);
export type Event = v.InferOutput<typeof Event>;
export type EventType = Event['type'];
export const eventTypes: readonly EventType[] = Event.options.flatMap(
  ({ entries }): readonly EventType[] => entries.type.options,
);

export const EventPage = listSchema(Event);
