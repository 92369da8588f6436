import { type Condition, toUnchangedCondition } from '../../calls/expressions.ts';
import type { Step } from '../../calls/run-steps.ts';
import { conversationKey, type Key, settingsKey } from '../../keys/keys.ts';
import { erasureAttribute } from '../../keys/names.ts';
import type { ConversationItem, ConversationView } from '../items/conversation-item.ts';
import type { Settings } from '../items/settings.ts';

/**
 * Returns a condition that holds if the fields on which a change depends are unchanged since the
 * read. If `matchWholeReply` is true (for If-Match), the condition also fails after a new message.
 */
export const toConversationCondition = (
  conversation: ConversationItem,
  matchWholeReply: boolean,
): Condition =>
  toUnchangedCondition(conversation, [
    'id',
    'deleted_at',
    'pinned_message_id',
    'blocked_by',
    'assigned_to',
    // Compares the message count, because several messages may have the same timestamp.
    ...(matchWholeReply ? (['message_count'] as const) : []),
  ]);

export const toSettingsCondition = (
  settings: Settings,
  comparedAttributes: readonly ('version' | 'read_place')[],
  matchWholeReply: boolean,
): Condition =>
  toUnchangedCondition(settings, [
    ...new Set([...comparedAttributes, ...(matchWholeReply ? replyAttributes : [])]),
    erasureAttribute,
  ]);

const replyAttributes = ['version', 'last_opened_at'] as const;

export const toConversationCheck = (conversation: ConversationItem): Step =>
  toCheck(conversationKey(conversation.id), toConversationCondition(conversation, true));

export const toSettingsCheck = (
  { conversation, settings }: ConversationView,
  contactId: string,
): Step =>
  toCheck(settingsKey(conversation.id, contactId), toSettingsCondition(settings, [], true));

const toCheck = (key: Key, condition: Condition): Step => ({
  write: { check: { Key: key, ...condition } },
});
