import { toSeconds, toSecondsOrNull } from '../../../shared/clock.ts';
import { toProfile } from '../../../shared/table/contacts.ts';
import type { ConversationItem } from '../../../shared/table/conversations/items/conversation-item.ts';
import {
  type ContactWithGroups,
  getOtherContact,
} from '../../../shared/table/conversations/items/participants.ts';
import { getChunkStart } from '../../../shared/table/feed/feed-chunk.ts';
import { parseEntry } from '../../../shared/table/feed/feed-entry.ts';
import { toGroupReply } from '../../../shared/table/groups/group-item.ts';
import {
  type MessageItem,
  type MessageWithContent,
  toMessageState,
} from '../../../shared/table/messages/log/message-item.ts';
import { parsePersonSettings } from '../../../shared/table/person-settings.ts';
import { toReportReply } from '../../../shared/table/reports/report-item.ts';
import type { PersonItem } from '../items/person-item.ts';
import type { ExportRecord } from './export-records.ts';

/**
 * Returns a message with its content, or `undefined` if the message was edited or deleted after the
 * search.
 */
export type FindContent = (message: MessageItem) => MessageWithContent | undefined;

export function toExportRecords(
  item: PersonItem,
  person: ContactWithGroups,
  findContent: FindContent,
): ExportRecord[] {
  switch (item.kind) {
    case 'profile': {
      const { contact, groups } = toProfile(item.item);
      return [
        { kind: 'profile', ...contact, groups: [...groups], ...parsePersonSettings(item.item) },
      ];
    }
    case 'conversation':
      return [toConversationRecord(item.conversation, person)];
    case 'settings':
      return [toSettingsRecord(item)];
    case 'message': {
      const { conversationId: conversation_id, message, isSent, reactions: names } = item;
      return [
        ...(isSent ? toMessageRecords(message, person.id, findContent) : []),
        ...(names.length > 0
          ? [{ kind: 'reaction' as const, conversation_id, message_id: message.id, names }]
          : []),
      ];
    }
    case 'upload':
      return [toUploadRecord(item)];
    case 'request':
      return [
        { kind: 'idempotent_request', operation: item.operation, expires_at: item.expiresAt },
      ];
    case 'events':
      return toEventRecords(item);
    case 'assignment':
      return [{ kind: 'assignment', conversation_id: item.conversationId }];
    case 'block':
      return [{ kind: 'block', contact_id: item.blockedId, created_at: toSeconds(item.createdAt) }];
    case 'membership': {
      const { group_id, role, joined_at, is_group_deleted } = item.membership;
      if (is_group_deleted) return [];
      return [{ kind: 'membership', group_id, role, joined_at: toSeconds(joined_at) }];
    }
    case 'membership_count':
      return [];
    case 'group': {
      const { id, title, avatar_url, created_at } = toGroupReply(item.group);
      return [{ kind: 'group', id, title, avatar_url, created_at }];
    }
    case 'report':
      return [{ kind: 'report', ...toReportReply(item.report) }];
    case 'endpoint': {
      const { id, url, types, created_at } = item.endpoint;
      return [{ kind: 'webhook_endpoint', id, url, types, created_at }];
    }
    case 'distinct': {
      const { contactId: contact_id, businessId: business_id, conversationId } = item;
      return [
        { kind: 'distinct_conversation', contact_id, business_id, conversation_id: conversationId },
      ];
    }
  }
}

type ItemOf<Kind extends PersonItem['kind']> = Extract<PersonItem, { kind: Kind }>;

const toUploadRecord = ({ conversationId, attachment }: ItemOf<'upload'>): ExportRecord => {
  const { id, name, type, size, scan_status: status = 'unscanned', message_id = null } = attachment;
  const facts = { id, name, type, size, status };
  return { kind: 'upload', conversation_id: conversationId, message_id, ...facts, file: null };
};

const toSettingsRecord = ({ conversationId, settings }: ItemOf<'settings'>): ExportRecord => ({
  kind: 'settings',
  conversation_id: conversationId,
  is_pinned: settings.is_pinned ?? false,
  is_muted: settings.is_muted ?? false,
  archived_at: settings.archived_at ?? null,
  last_opened_at: toSecondsOrNull(settings.last_opened_at),
  read_place: settings.read_place ?? null,
  max_read_sequence: settings.max_read_sequence ?? null,
});

const toEventRecords = ({ chunk }: ItemOf<'events'>): ExportRecord[] =>
  chunk.entries.map((text, n) => {
    const { type, id, version, at: created_at } = parseEntry(text);
    return { kind: 'event', type, id, version, created_at, place: getChunkStart(chunk) + n };
  });

function toConversationRecord(
  conversation: ConversationItem,
  { id }: ContactWithGroups,
): ExportRecord {
  const { created_by, contact_id, group_id, created_at, last_message_at } = conversation;
  const isNamed = contact_id === id && created_by !== id;
  return {
    kind: 'conversation',
    id: conversation.id,
    role: created_by === id ? 'creator' : isNamed ? 'contact' : 'member',
    contact_id: getOtherContact(conversation, id),
    group_id: group_id ?? null,
    created_at: toSeconds(created_at),
    last_active_at: toSecondsOrNull(last_message_at),
  };
}

function toMessageRecords(
  entry: MessageItem,
  personId: string,
  findContent: FindContent,
): ExportRecord[] {
  const message = findContent(entry);
  return message ? [{ kind: 'message', ...toMessageFields(message, personId) }] : [];
}

export const toReceivedRecord = (message: MessageWithContent, personId: string): ExportRecord => ({
  kind: 'received_message',
  sent_by: message.sent_by,
  ...toMessageFields(message, personId),
});

const toMessageFields = (message: MessageWithContent, personId: string) => ({
  ...toMessageState(message, personId),
  reply_to_id: message.reply_to_id ?? null,
  mentions: message.mentions ?? [],
});
