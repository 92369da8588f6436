import { asRead, type Condition } from '../../calls/expressions.ts';
import type { Step } from '../../calls/steps.ts';
import { conversationKey, settingsKey } from '../../keys/keys.ts';
import type { ConversationItem, ConversationView } from '../items/conversation-item.ts';
import type { Settings } from '../items/settings.ts';

/**
 * That a conversation, or somebody's settings of it, is still what was read, in what changes are decided on; or, as
 * whoever sends If-Match decides on the whole reply, in everything that a reply shows. Only then a message that is sent
 * meanwhile counts, or an opening.
 */
export const toConversationCondition = (
  conversation: ConversationItem,
  matchWholeReply: boolean,
): Condition =>
  asRead(conversation, [
    'id',
    'deleted_at',
    'pinned_message_id',
    // Several messages may have one time, but each has a place.
    ...(matchWholeReply ? (['message_count'] as const) : []),
  ]);

export const toSettingsCondition = (
  settings: Settings,
  comparedAttributes: readonly ('version' | 'read_place')[],
  matchWholeReply: boolean,
): Condition =>
  asRead(
    settings,
    matchWholeReply
      ? [...new Set([...comparedAttributes, ...replyAttributes])]
      : comparedAttributes,
  );

/** What tells whether that has changed which a reply shows of settings. */
const replyAttributes = ['version', 'last_opened_at'] as const;

/** The same of items that are not written. */
export const toConversationCheck = (conversation: ConversationItem): Step => ({
  write: {
    check: {
      Key: conversationKey(conversation.id),
      ...toConversationCondition(conversation, true),
    },
  },
});

export const toSettingsCheck = (
  { conversation, settings }: ConversationView,
  contactId: string,
): Step => ({
  write: {
    check: {
      Key: settingsKey(conversation.id, contactId),
      ...toSettingsCondition(settings, [], true),
    },
  },
});
