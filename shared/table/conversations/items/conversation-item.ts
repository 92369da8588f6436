import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { toSeconds, toSecondsOrNull } from '../../../clock.ts';
import type { Conversation, CreateConversation } from '../../../contract/conversation.ts';
import type { Answer } from '../../../contract/operation.ts';
import { conversationCreatedAt, isConversationId } from '../../../ids.ts';
import { getItems, type Item } from '../../calls/access.ts';
import {
  contactInbox,
  conversationKey,
  groupInbox,
  type Key,
  settingsKey,
  toActivitySortKey,
  toInboxKeys,
  toPairKeys,
} from '../../keys/keys.ts';
import { isDeleted } from './conversation-tombstone.ts';
import { getOtherContact, isParticipant } from './participants.ts';
import { getOwnVersion, Settings } from './settings.ts';

/** The record that all participants share. Times are in milliseconds. */
export const ConversationItem = v.object({
  id: v.string(),
  created_by: v.string(),
  contact_id: v.optional(v.string()),
  group_id: v.optional(v.string()),
  pinned_message_id: v.optional(v.string()),
  created_at: v.number(),
  /** When the last message was sent; never goes back. */
  last_message_at: v.optional(v.number()),
  /** Places given out in the log of messages. */
  message_count: v.number(),
  /** Counts the changes that all see, but messages. */
  version: v.optional(v.number()),
  deleted_at: v.optional(v.number()),
});
export type ConversationItem = v.InferOutput<typeof ConversationItem>;

/** A conversation with what one participant has set for themselves. */
export const ConversationView = v.object({ conversation: ConversationItem, settings: Settings });
export type ConversationView = v.InferOutput<typeof ConversationView>;

/** The answer of the operations on one conversation. As the time of the last message is in seconds, its place tells more. */
export const toAnswer = (
  callerId: string,
  { conversation, settings }: ConversationView,
): Answer<Conversation> => ({
  reply: toConversationReply(callerId, conversation, settings),
  state: conversation.message_count,
});

/** What grows with each change of it that all see. */
export const getSharedVersion = ({ message_count, version = 0 }: ConversationItem): number =>
  1 + message_count + version;

/** What grows with each change of it that this participant sees. */
export const getVersion = ({ conversation, settings }: ConversationView): number =>
  getSharedVersion(conversation) + getOwnVersion(settings);

/** When there was last any activity, in milliseconds. */
export const getActiveAt = ({ last_message_at, created_at }: ConversationItem): number =>
  last_message_at ?? created_at;

/** A conversation as it is when it has just been created; the id tells when. */
export const newConversation = (
  id: string,
  createdBy: string,
  { contact_id, group_id }: Pick<CreateConversation, 'contact_id' | 'group_id'>,
): ConversationItem => ({
  id,
  created_by: createdBy,
  contact_id: contact_id ?? undefined,
  group_id: group_id ?? undefined,
  created_at: conversationCreatedAt(id),
  message_count: 0,
});

/** The item of a conversation, in its creator's or its group's inbox and in the named contact's, and with that contact. */
export function toStoredConversation(conversation: ConversationItem): Item & Key {
  const { id, created_by, contact_id, group_id } = conversation;
  const isInContactInbox = contact_id !== undefined && !isWithSelf(conversation);
  return {
    ...conversationKey(id),
    ...conversation,
    ...toInboxKeys(
      group_id === undefined ? contactInbox(created_by) : groupInbox(group_id),
      isInContactInbox ? contactInbox(contact_id) : undefined,
      toActivitySortKey(getActiveAt(conversation), id),
    ),
    ...toPairKeys(id, conversation),
  };
}

/** Its creator's inbox has a conversation with oneself already. */
const isWithSelf = ({ created_by, contact_id, group_id }: ConversationItem) =>
  group_id === undefined && contact_id === created_by;

/** The conversation if the caller takes part in it, as read from its item; undefined otherwise. */
export function parseVisibleConversation(
  caller: Caller,
  item: Item | undefined,
): ConversationItem | undefined {
  if (!item || isDeleted(item)) return undefined;
  const conversation = v.parse(ConversationItem, item);
  return isParticipant(conversation, caller) ? conversation : undefined;
}

/** The conversation with the caller's settings; undefined when there is none that the caller takes part in. */
export async function getConversation(
  id: string,
  caller: Caller,
): Promise<ConversationView | undefined> {
  if (!isConversationId(id)) return undefined;
  const key = conversationKey(id);
  const items = await getItems([key, settingsKey(id, caller.id)]);
  const conversation = parseVisibleConversation(
    caller,
    items.find(({ sk }) => sk === key.sk),
  );
  const settings = v.parse(Settings, items.find(({ sk }) => sk !== key.sk) ?? {});
  return conversation && { conversation, settings };
}

/** The reply: the conversation as one participant sees it. */
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
