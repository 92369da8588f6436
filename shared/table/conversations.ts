import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import { toSeconds, toSecondsOrNull } from '../clock.ts';
import type { Conversation } from '../contract/conversation.ts';
import { isConversationId } from '../ids.ts';
import { getItems, type Item, putNew } from './access.ts';
import { activity, contactInbox, conversationKey, groupInbox, settingsKey } from './keys.ts';
import { otherContact, takesPart } from './participants.ts';
import { Settings } from './settings.ts';

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
  deleted_at: v.optional(v.number()),
});
export type ConversationItem = v.InferOutput<typeof ConversationItem>;

/** Stores a new conversation, in its creator's or its group's inbox and in the named contact's. */
export async function putConversation(conversation: ConversationItem): Promise<void> {
  const { id, created_by, contact_id, group_id, created_at } = conversation;
  // The id is drawn for this conversation alone: if it is there already, a repeated try has met the first.
  await putNew({
    ...conversationKey(id),
    ...conversation,
    gsi1pk: group_id === undefined ? contactInbox(created_by) : groupInbox(group_id),
    gsi2pk:
      contact_id === undefined || isToOneself(conversation) ? undefined : contactInbox(contact_id),
    activity: activity(created_at, id),
  });
}

/** Its creator's inbox has a conversation with oneself already. */
const isToOneself = ({ created_by, contact_id, group_id }: ConversationItem) =>
  group_id === undefined && contact_id === created_by;

/** The conversation if the caller takes part in it, as read from its item; undefined otherwise. */
export function visibleTo(caller: Caller, item: Item | undefined): ConversationItem | undefined {
  if (!item) return undefined;
  const conversation = v.parse(ConversationItem, item);
  const visible = conversation.deleted_at === undefined && takesPart(conversation, caller);
  return visible ? conversation : undefined;
}

/** The conversation with the caller's settings; undefined when there is none that the caller takes part in. */
export async function getConversation(
  id: string,
  caller: Caller,
): Promise<{ conversation: ConversationItem; settings: Settings } | undefined> {
  if (!isConversationId(id)) return undefined;
  const key = conversationKey(id);
  const items = await getItems([key, settingsKey(id, caller.id)]);
  const conversation = visibleTo(
    caller,
    items.find(({ sk }) => sk === key.sk),
  );
  const settings = v.parse(Settings, items.find(({ sk }) => sk !== key.sk) ?? {});
  return conversation && { conversation, settings };
}

/** The reply: the conversation as one participant sees it. */
export const conversationSeenBy = (
  callerId: string,
  conversation: ConversationItem,
  settings: Settings,
): Conversation => ({
  id: conversation.id,
  contact_id: otherContact(conversation, callerId),
  group_id: conversation.group_id ?? null,
  pinned_message_id: conversation.pinned_message_id ?? null,
  is_pinned: settings.is_pinned ?? false,
  is_muted: settings.is_muted ?? false,
  last_active_at: toSecondsOrNull(conversation.last_message_at),
  last_opened_at: toSecondsOrNull(settings.last_opened_at),
  created_at: toSeconds(conversation.created_at),
  archived_at: settings.archived_at ?? null,
});
