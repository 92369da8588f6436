import { asRead, type Condition } from '../calls/expressions.ts';
import type { Step } from '../calls/steps.ts';
import { conversationKey, settingsKey } from '../keys/keys.ts';
import type { ConversationItem, View } from './items.ts';
import type { Settings } from './settings.ts';

/**
 * That a conversation, or somebody's settings of it, is still what was read, in what changes are decided on; or, as
 * whoever sends If-Match decides on the whole reply, in everything that a reply shows. Only then a message that is sent
 * meanwhile counts, or an opening.
 */
export const conversationUnchanged = (
  conversation: ConversationItem,
  asAWhole: boolean,
): Condition =>
  asRead(conversation, [
    'id',
    'deleted_at',
    'pinned_message_id',
    // Several messages may have one time, but each has a place.
    ...(asAWhole ? (['message_count'] as const) : []),
  ]);

export const settingsUnchanged = (
  settings: Settings,
  decidedOn: readonly ('version' | 'read_place')[],
  asAWhole: boolean,
): Condition => asRead(settings, asAWhole ? [...new Set([...decidedOn, ...shown])] : decidedOn);

/** What tells whether that has changed which a reply shows of settings. */
const shown = ['version', 'last_opened_at'] as const;

/** The same of items that are not written. */
export const conversationCheck = (conversation: ConversationItem): Step => ({
  write: {
    check: { Key: conversationKey(conversation.id), ...conversationUnchanged(conversation, true) },
  },
});

export const settingsCheck = ({ conversation, settings }: View, contactId: string): Step => ({
  write: {
    check: {
      Key: settingsKey(conversation.id, contactId),
      ...settingsUnchanged(settings, [], true),
    },
  },
});
