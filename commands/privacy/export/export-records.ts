import * as v from 'valibot';
import { ScanStatus } from '../../../shared/contract/resources/attachment.ts';
import { Block } from '../../../shared/contract/resources/block.ts';
import { Contact } from '../../../shared/contract/resources/contact.ts';
import { eventTypes } from '../../../shared/contract/resources/event.ts';
import { GroupMember } from '../../../shared/contract/resources/group.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import { PersonSettings } from '../../../shared/contract/resources/person-settings.ts';
import { Report } from '../../../shared/contract/resources/report.ts';
import { ExternalId, Timestamp } from '../../../shared/contract/schema/field-types.ts';

/**
 * Defines a record type of a person's export. Fields that also exist in the API have the same names
 * and meanings. docs/person-export.schema.json is generated from these definitions.
 */
const defineRecord = <Kind extends string, Entries extends v.ObjectEntries>(
  kind: Kind,
  description: string,
  fields: Entries,
) => v.pipe(v.strictObject({ kind: v.literal(kind), ...fields }), v.description(description));

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const TimestampOrNull = v.nullable(Timestamp);

/** The fields of a message in the contract, without the sender's profile and the quoted message. */
const { contact: _contact, reply_to: _quoted, ...contractFields } = Message.entries;
const messageFields = {
  ...contractFields,
  reactions: v.pipe(
    contractFields.reactions,
    v.description('Contact ids of the people who reacted, by emoji.'),
  ),
  attachments: v.pipe(
    contractFields.attachments,
    v.description(
      'Attachments as sent. Each uploaded file also has an `upload` record. Other files are stored elsewhere.',
    ),
  ),
};

export const HeaderRecord = defineRecord('export', 'The first line, which describes the export.', {
  contact_id: ExternalId,
  place: v.pipe(v.string(), v.description('Name of the stage, or `local`.')),
  begun_at: Timestamp,
  complete: v.pipe(
    v.boolean(),
    v.description(
      'True if the whole table was read; false if only the indexes and groups were read.',
    ),
  ),
  groups: v.pipe(
    v.array(ExternalId),
    v.description('The groups whose conversations are included.'),
  ),
  received: v.pipe(v.boolean(), v.description('Whether messages from other users were requested.')),
});

export const AccountRecord = defineRecord('account', "Their account in the stage's user pool.", {
  username: v.string(),
  attributes: v.record(v.string(), v.string()),
  groups: v.array(v.string()),
  enabled: v.boolean(),
  status: v.string(),
  created_at: Timestamp,
});

export const ProfileRecord = defineRecord('profile', 'Their profile, as of their last write.', {
  ...Contact.entries,
  ...PersonSettings.entries,
  groups: v.array(ExternalId),
});

export const ConversationRecord = defineRecord(
  'conversation',
  'A conversation that they created, that names them, or that belongs to one of their groups.',
  {
    id: v.string(),
    role: v.pipe(
      v.picklist(['creator', 'contact', 'member']),
      v.description(
        '`creator`: they created it. `contact`: it names them. `member`: it belongs to one of their groups.',
      ),
    ),
    contact_id: v.pipe(
      v.nullable(ExternalId),
      v.description('Id of the other contact; null if there is none.'),
    ),
    group_id: v.nullable(ExternalId),
    created_at: Timestamp,
    last_active_at: TimestampOrNull,
  },
);

export const SettingsRecord = defineRecord('settings', 'Their settings for a conversation.', {
  conversation_id: v.string(),
  is_pinned: v.boolean(),
  is_muted: v.boolean(),
  archived_at: TimestampOrNull,
  last_opened_at: TimestampOrNull,
  read_place: v.pipe(
    v.nullable(Count),
    v.description('Read position: the sequence number of the last message returned to them.'),
  ),
  max_read_sequence: v.pipe(
    v.nullable(Count),
    v.description('Highest read position before they last marked messages as unread.'),
  ),
});

export const MessageRecord = defineRecord('message', 'A message they sent.', messageFields);

export const ReceivedMessageRecord = defineRecord(
  'received_message',
  'A message that another user sent in a conversation that they can read; only if requested.',
  { sent_by: ExternalId, ...messageFields },
);

export const UploadRecord = defineRecord('upload', 'A file they uploaded.', {
  conversation_id: v.string(),
  message_id: v.pipe(
    v.nullable(v.string()),
    v.description('Id of the message that contains the file; null if none does.'),
  ),
  id: v.string(),
  name: v.string(),
  type: v.string(),
  size: Count,
  status: ScanStatus,
  file: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Name of the copy in the folder next to this file; null if the upload is infected or was never completed.',
    ),
  ),
});

export const ReactionRecord = defineRecord('reaction', 'Their reactions to a message.', {
  conversation_id: v.string(),
  message_id: v.string(),
  names: v.array(v.string()),
});

export const RequestRecord = defineRecord(
  'idempotent_request',
  'A request with an Idempotency-Key, whose reply is stored for a limited time.',
  { operation: v.string(), expires_at: Timestamp },
);

export const EventRecord = defineRecord('event', 'An entry in their feed.', {
  type: v.picklist(eventTypes),
  id: v.pipe(v.string(), v.description('Id of the message, the conversation or the group.')),
  version: Count,
  created_at: Timestamp,
  place: Count,
});

export const AssignmentRecord = defineRecord(
  'assignment',
  'A conversation with a business that is assigned to them.',
  { conversation_id: v.string() },
);

export const BlockRecord = defineRecord(
  'block',
  'A contact that they have blocked.',
  Block.entries,
);

export const MembershipRecord = defineRecord(
  'membership',
  'Their membership in a group that users created.',
  { group_id: v.string(), role: GroupMember.entries.role, joined_at: Timestamp },
);

export const GroupRecord = defineRecord('group', 'A group that they created.', {
  id: v.string(),
  title: v.string(),
  avatar_url: v.nullable(v.string()),
  created_at: Timestamp,
});

export const ReportRecord = defineRecord('report', 'A report they made.', Report.entries);

export const WebhookEndpointRecord = defineRecord(
  'webhook_endpoint',
  'A webhook endpoint for the events of their conversations only.',
  { id: v.string(), url: v.string(), types: v.array(v.string()), created_at: Timestamp },
);

export const DistinctConversationRecord = defineRecord(
  'distinct_conversation',
  'The distinct conversation with a contact or a business.',
  {
    contact_id: v.nullable(ExternalId),
    business_id: v.nullable(ExternalId),
    conversation_id: v.string(),
  },
);

export const EndRecord = defineRecord('end', 'The last line, present only in a complete export.', {
  records: v.pipe(Count, v.description('Number of lines between the first line and this line.')),
  ended_at: Timestamp,
});

export const ExportRecord = v.variant('kind', [
  HeaderRecord,
  AccountRecord,
  ProfileRecord,
  ConversationRecord,
  SettingsRecord,
  MessageRecord,
  ReceivedMessageRecord,
  UploadRecord,
  ReactionRecord,
  RequestRecord,
  EventRecord,
  AssignmentRecord,
  BlockRecord,
  MembershipRecord,
  GroupRecord,
  ReportRecord,
  WebhookEndpointRecord,
  DistinctConversationRecord,
  EndRecord,
]);
export type ExportRecord = v.InferOutput<typeof ExportRecord>;
