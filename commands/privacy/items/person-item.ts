import * as v from 'valibot';
import {
  type AttachmentItem,
  parseAttachment,
} from '../../../shared/table/attachments/attachment-item.ts';
import { BlockItem } from '../../../shared/table/blocks/list-blocks.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { ConversationItem } from '../../../shared/table/conversations/items/conversation-item.ts';
import { isDeleted } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  type ContactWithGroups,
  isParticipant,
} from '../../../shared/table/conversations/items/participants.ts';
import {
  parseSettings,
  type Settings,
} from '../../../shared/table/conversations/items/settings.ts';
import { type Chunk, toChunk } from '../../../shared/table/feed/feed-chunk.ts';
import { type GroupItem, parseGroup } from '../../../shared/table/groups/group-item.ts';
import { Membership } from '../../../shared/table/groups/membership.ts';
import { membershipCountKey } from '../../../shared/table/keys/group-keys.ts';
import {
  chunkKey,
  chunkSortPrefix,
  contactKey,
  distinctKey,
  type Key,
  parseConversationPartition,
  settingsKey,
} from '../../../shared/table/keys/keys.ts';
import {
  assignmentSort,
  attachmentSortPrefix,
  blockSortPrefix,
  conversationSort,
  erasureAttribute,
  expiryAttribute,
  groupSort,
  membershipSortPrefix,
  messageSortPrefix,
  reportSortPrefix,
  tableKey,
} from '../../../shared/table/keys/names.ts';
import { webhookEndpointKey } from '../../../shared/table/keys/webhook-keys.ts';
import {
  isMessage,
  type MessageItem,
  toLogEntry,
} from '../../../shared/table/messages/log/message-item.ts';
import { parseReport, type ReportItem } from '../../../shared/table/reports/report-item.ts';
import { type EndpointItem, parseEndpoint } from '../../../shared/table/webhooks/endpoint-item.ts';

/** An item of the table that belongs to a person, or one of the person's conversations. */
export type PersonItem =
  | { kind: 'profile'; key: Key; item: Item }
  /** The stored reply to a request with an Idempotency-Key. */
  | { kind: 'request'; key: Key; operation: string; expiresAt: number }
  | { kind: 'events'; chunk: Chunk }
  | { kind: 'block'; blockedId: string; createdAt: number }
  | { kind: 'membership'; membership: Membership }
  | { kind: 'membership_count' }
  /**
   * A group that the person created. After an erasure, the group still contains the person's id.
   */
  | { kind: 'group'; group: GroupItem }
  /** A report that the person submitted. */
  | { kind: 'report'; key: Key; report: ReportItem }
  /** A webhook endpoint that receives only events of the person's conversations. */
  | { kind: 'endpoint'; key: Key; endpoint: EndpointItem }
  /** The record of the person's distinct conversation with a contact or a business. */
  | {
      kind: 'distinct';
      key: Key;
      contactId: string | null;
      businessId: string | null;
      conversationId: string;
    }
  | { kind: 'conversation'; conversation: ConversationItem }
  | ConversationPart;

export type ConversationPart =
  /** The assignment of the person to a conversation with a business. */
  | { kind: 'assignment'; conversationId: string }
  /** A file that the person uploaded. If a message contains the file, both are erased together. */
  | { kind: 'upload'; key: Key; conversationId: string; attachment: AttachmentItem }
  | { kind: 'settings'; key: Key; conversationId: string; settings: Settings }
  | {
      kind: 'message';
      conversationId: string;
      message: MessageItem;
      isSent: boolean;
      /** The names of the person's reactions to the message. */
      reactions: string[];
    };

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });
const DistinctRecord = v.object({ conversation_id: v.string() });
const Expiring = v.object({ [expiryAttribute]: v.number() });

/**
 * Returns the item with its type if it belongs to the person, otherwise undefined. Includes
 * conversations that the person created, that name the person, or that belong to the person's
 * groups. Excludes other users' settings, even if these contain the person's id.
 */
export function toPersonItem(item: Item, person: ContactWithGroups): PersonItem | undefined {
  const key = v.parse(Keyed, item);
  const { pk, sk } = key;
  const conversationId = parseConversationPartition(key);
  if (conversationId !== undefined) return toConversationPart(conversationId, key, item, person);
  const contact = contactKey(person.id);
  if (pk === contact.pk) {
    // After an erasure, the profile contains only the record of the erasure.
    if (sk === contact.sk)
      return erasureAttribute in item ? undefined : { kind: 'profile', key, item };
    if (sk.startsWith(blockSortPrefix)) {
      const { blocked_id: blockedId, created_at: createdAt } = v.parse(BlockItem, item);
      return { kind: 'block', blockedId, createdAt };
    }
    if (sk.startsWith(membershipSortPrefix))
      return { kind: 'membership', membership: v.parse(Membership, item) };
    if (sk === membershipCountKey('').sk) return { kind: 'membership_count' };
    if (sk.startsWith(reportSortPrefix)) return { kind: 'report', key, report: parseReport(item) };
    const [, operation = ''] = sk.split('#');
    return { kind: 'request', key, operation, expiresAt: v.parse(Expiring, item).expires_at };
  }
  if (pk === chunkKey({ kind: 'contact', id: person.id }, 1).pk) {
    const chunk = sk.startsWith(chunkSortPrefix) ? toChunk(item) : undefined;
    // An emptied chunk contains only the count of its former entries.
    return chunk && chunk.entries.length > 0 ? { kind: 'events', chunk } : undefined;
  }
  if (sk === groupSort) {
    const group = parseGroup(item);
    return group?.created_by === person.id ? { kind: 'group', group } : undefined;
  }
  if (pk === webhookEndpointKey('').pk) {
    const endpoint = parseEndpoint(item);
    return endpoint.contact_id === person.id ? { kind: 'endpoint', key, endpoint } : undefined;
  }
  if (sk === distinctKey('', '').sk) {
    const [, first = '', other = '', businessId = null] = pk.split('#');
    if (first !== person.id && other !== person.id) return undefined;
    const { conversation_id: conversationId } = v.parse(DistinctRecord, item);
    const contact = first === person.id ? other : first;
    const contactId = businessId === null ? contact : null;
    return { kind: 'distinct', key, contactId, businessId, conversationId };
  }
  return undefined;
}

function toConversationPart(
  conversationId: string,
  key: Key,
  item: Item,
  person: ContactWithGroups,
): PersonItem | undefined {
  if (key.sk === conversationSort) {
    if (isDeleted(item)) return undefined;
    const conversation = v.parse(ConversationItem, item);
    const isOwn = isParticipant(conversation, person) || conversation.created_by === person.id;
    return isOwn ? { kind: 'conversation', conversation } : undefined;
  }
  if (key.sk === settingsKey(conversationId, person.id).sk) {
    const settings = parseSettings(item);
    // After an erasure, the settings contain only the timestamps of the erasure and the expiry.
    return settings.erased_at === undefined
      ? { kind: 'settings', key, conversationId, settings }
      : undefined;
  }
  if (key.sk === assignmentSort)
    return item.assigned_to === person.id ? { kind: 'assignment', conversationId } : undefined;
  if (key.sk.startsWith(attachmentSortPrefix)) {
    const attachment = parseAttachment(item);
    return attachment?.uploaded_by === person.id
      ? { kind: 'upload', key, conversationId, attachment }
      : undefined;
  }
  if (!key.sk.startsWith(messageSortPrefix)) return undefined;
  const message = toLogEntry(item);
  if (!isMessage(message)) return undefined;
  const isSent = message.sent_by === person.id;
  const reactions = Object.entries(message.reactions)
    .filter(([, reactors]) => reactors.has(person.id))
    .map(([name]) => name)
    .sort();
  return isSent || reactions.length > 0
    ? { kind: 'message', conversationId, message, isSent, reactions }
    : undefined;
}
