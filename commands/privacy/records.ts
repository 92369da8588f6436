import * as v from 'valibot';
import { Contact } from '../../shared/contract/resources/contact.ts';
import { eventTypes } from '../../shared/contract/resources/event.ts';
import { Reactions } from '../../shared/contract/resources/message.ts';
import { ExternalId, Timestamp } from '../../shared/contract/schema/field-types.ts';

/**
 * The lines of a person's export: one kind of record each. What a record has in common with what
 * the API shows is called the same and means the same. docs/person-export.schema.json is made of
 * this.
 */
const record = <Kind extends string, Entries extends v.ObjectEntries>(
  kind: Kind,
  does: string,
  entries: Entries,
) => v.pipe(v.strictObject({ kind: v.literal(kind), ...entries }), v.description(does));

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const TimestampOrNull = v.nullable(Timestamp);

/** A message without whoever sent it. */
const content = {
  id: v.string(),
  conversation_id: v.string(),
  message: v.string(),
  reactions: v.pipe(Reactions, v.description('Who has reacted, by the contact ids.')),
  attachments: v.pipe(
    v.array(v.looseObject({})),
    v.description('As they were given. What their URLs lead to is elsewhere.'),
  ),
  read_at: TimestampOrNull,
  created_at: Timestamp,
  updated_at: TimestampOrNull,
};

export const Begin = record('export', 'The first line: what was asked for.', {
  contact_id: ExternalId,
  place: v.pipe(v.string(), v.description('The stage, or `local`.')),
  begun_at: Timestamp,
  complete: v.pipe(
    v.boolean(),
    v.description('Whether the whole table was read; else only what indexes and groups led to.'),
  ),
  groups: v.pipe(v.array(ExternalId), v.description('Those whose conversations count as theirs.')),
  received: v.pipe(
    v.boolean(),
    v.description('Whether what others sent to them was asked for as well.'),
  ),
});

export const Account = record('account', "What the stage's user pool knows of them.", {
  username: v.string(),
  attributes: v.record(v.string(), v.string()),
  groups: v.array(v.string()),
  enabled: v.boolean(),
  status: v.string(),
  created_at: Timestamp,
});

export const Profile = record('profile', 'What is known of them, as their last token said.', {
  ...Contact.entries,
  groups: v.array(ExternalId),
});

export const ConversationRecord = record('conversation', 'A conversation that they take part in.', {
  id: v.string(),
  role: v.pipe(
    v.picklist(['creator', 'contact', 'member']),
    v.description('They made it, it names them, or it is of a group of theirs.'),
  ),
  contact_id: v.pipe(v.nullable(ExternalId), v.description('The other contact.')),
  group_id: v.nullable(ExternalId),
  created_at: Timestamp,
  last_active_at: TimestampOrNull,
});

export const SettingsRecord = record('settings', 'What they have made of a conversation.', {
  conversation_id: v.string(),
  is_pinned: v.boolean(),
  is_muted: v.boolean(),
  archived_at: TimestampOrNull,
  last_opened_at: TimestampOrNull,
  read_place: v.pipe(
    v.nullable(Count),
    v.description('How far they have read: the number of the last message they were given.'),
  ),
});

export const MessageRecord = record('message', 'A message that they sent.', content);

export const ReceivedMessage = record(
  'received_message',
  'A message that others sent, in a conversation that they take part in; only where it was asked for.',
  { sent_by: ExternalId, ...content },
);

export const Reaction = record('reaction', 'How they have reacted to a message.', {
  conversation_id: v.string(),
  message_id: v.string(),
  names: v.array(v.string()),
});

export const Request = record(
  'idempotent_request',
  'That they made a request with an Idempotency-Key: its first reply is kept for a while.',
  { operation: v.string(), expires_at: Timestamp },
);

export const EventRecord = record('event', 'An entry of their feed.', {
  type: v.picklist(eventTypes),
  id: v.pipe(v.string(), v.description('Of the message or the conversation.')),
  version: Count,
  created_at: Timestamp,
  place: Count,
});

export const Distinct = record(
  'distinct_conversation',
  'Which conversation is the one that they have with a contact.',
  { contact_id: ExternalId, conversation_id: v.string() },
);

export const End = record('end', 'The last line: the export is whole.', {
  records: v.pipe(Count, v.description('How many lines there are between the first and this one.')),
  ended_at: Timestamp,
});

export const ExportRecord = v.union([
  Begin,
  Account,
  Profile,
  ConversationRecord,
  SettingsRecord,
  MessageRecord,
  ReceivedMessage,
  Reaction,
  Request,
  EventRecord,
  Distinct,
  End,
]);
export type ExportRecord = v.InferOutput<typeof ExportRecord>;
