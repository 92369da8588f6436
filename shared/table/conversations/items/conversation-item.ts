import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { toSeconds, toSecondsOrNull } from '../../../clock.ts';
import type { OperationResult } from '../../../contract/operation.ts';
import type { Conversation, CreateConversation } from '../../../contract/resources/conversation.ts';
import { conversationCreatedAt } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import {
  contactInboxPartition,
  conversationKey,
  groupInboxPartition,
  type Key,
  toActivitySortKey,
  toInboxKeys,
  toPairKeys,
} from '../../keys/keys.ts';
import { isStaff } from './assignment.ts';
import { isDeleted } from './conversation-tombstone.ts';
import { type ContactWithGroups, getOtherContact, isParticipant } from './participants.ts';
import { getOwnVersion, Settings } from './settings.ts';

/** A stored conversation. Timestamps are in milliseconds. */
export const ConversationItem = v.object({
  id: v.string(),
  created_by: v.string(),
  contact_id: v.optional(v.string()),
  group_id: v.optional(v.string()),
  pinned_message_id: v.optional(v.string()),
  created_at: v.number(),
  /** Time of the last message; never decreases. */
  last_message_at: v.optional(v.number()),
  /** The group's `active_until` is at least this time (see group-heads.ts). */
  active_until: v.optional(v.number()),
  /** Number of reserved sequence numbers. */
  message_count: v.number(),
  /** Number of changes to the pin or the assignment. */
  version: v.optional(v.number()),
  deleted_at: v.optional(v.number()),
  /** Contacts of a direct conversation who block the other contact: see blocked.ts. */
  blocked_by: v.optional(v.set(v.string())),
  /** Member of the business's staff to whom the conversation is assigned. */
  assigned_to: v.optional(v.string()),
});
export type ConversationItem = v.InferOutput<typeof ConversationItem>;

export const ConversationView = v.object({ conversation: ConversationItem, settings: Settings });
export type ConversationView = v.InferOutput<typeof ConversationView>;

/** A conversation in a list, with the caller's settings if they were read. */
export interface FoundConversation {
  conversation: ConversationItem;
  settings?: Settings;
  /** Parts that this request read with strong consistency. The other parts may be stale. */
  consistentParts: 'both' | 'conversation' | 'neither';
}

/**
 * Returns the reply for a conversation. `state` makes the ETag change with each message, even if
 * several are sent in the same second. For staff, `state` also makes the ETag change with
 * the assignee.
 */
export const toConversationResult = (
  caller: ContactWithGroups,
  { conversation, settings }: ConversationView,
): OperationResult<Conversation> => ({
  reply: toConversationReply(caller.id, conversation, settings),
  state: isStaff(conversation, caller)
    ? `${conversation.message_count} ${conversation.assigned_to ?? ''}`
    : conversation.message_count,
});

/** Returns a version that increases with each change visible to all participants. */
export const getSharedVersion = ({ message_count, version = 0 }: ConversationItem): number =>
  1 + message_count + version;

/** Returns a version that increases with each change visible to the owner of the settings. */
export const getVersion = ({ conversation, settings }: ConversationView): number =>
  getSharedVersion(conversation) + getOwnVersion(settings);

/** Returns the time of the last activity in milliseconds. */
export const getActiveAt = ({ last_message_at, created_at }: ConversationItem): number =>
  last_message_at ?? created_at;

export type Participants = Pick<CreateConversation, 'contact_id' | 'group_id'>;

/** Returns a new conversation. Its id contains the creation time. */
export const newConversation = (
  id: string,
  createdBy: string,
  { contact_id, group_id }: Participants,
): ConversationItem => ({
  id,
  created_by: createdBy,
  contact_id: contact_id ?? undefined,
  group_id: group_id ?? undefined,
  created_at: conversationCreatedAt(id),
  message_count: 0,
});

/**
 * Converts a conversation to its item. Adds the index keys of the conversation's inboxes. If the
 * conversation names a contact, also adds the index keys of the lists by contact.
 */
export function toStoredConversation(conversation: ConversationItem): Item & Key {
  const { id, created_by, contact_id, group_id } = conversation;
  const isInContactInbox = contact_id !== undefined && !isWithSelf(conversation);
  return {
    ...conversationKey(id),
    ...conversation,
    ...toInboxKeys(
      group_id === undefined ? contactInboxPartition(created_by) : groupInboxPartition(group_id),
      isInContactInbox ? contactInboxPartition(contact_id) : undefined,
      toActivitySortKey(getActiveAt(conversation), id),
    ),
    ...toPairKeys(id, conversation),
  };
}

/** Reports whether a direct conversation names its creator, whose inbox already contains it. */
const isWithSelf = ({ created_by, contact_id, group_id }: ConversationItem) =>
  group_id === undefined && contact_id === created_by;

/** Parses a conversation item; `undefined` if it is missing or deleted. */
export const parseConversation = (item: Item | undefined): ConversationItem | undefined =>
  item && !isDeleted(item) ? v.parse(ConversationItem, item) : undefined;

/**
 * Parses a conversation item; `undefined` if it is missing or deleted, or the caller is not a
 * participant. Considers only `caller.groups`; `findVisibleConversation` also reads memberships.
 */
export function parseVisibleConversation(
  caller: Caller,
  item: Item | undefined,
): ConversationItem | undefined {
  const conversation = parseConversation(item);
  return conversation && isParticipant(conversation, caller) ? conversation : undefined;
}

export const toConversationReply = (
  callerId: string,
  conversation: ConversationItem,
  settings: Settings,
): Conversation => ({
  id: conversation.id,
  contact_id: getOtherContact(conversation, callerId),
  group_id: conversation.group_id ?? null,
  pinned_message_id: conversation.pinned_message_id ?? null,
  is_pinned: settings.is_pinned ?? false,
  is_muted: settings.is_muted ?? false,
  last_active_at: toSecondsOrNull(conversation.last_message_at),
  last_opened_at: toSecondsOrNull(settings.last_opened_at),
  created_at: toSeconds(conversation.created_at),
  archived_at: settings.archived_at ?? null,
});
