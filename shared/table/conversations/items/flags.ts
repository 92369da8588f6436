import { type Flags, toFlaggedKeys } from '../../keys/keys.ts';
import type { ConversationView } from './conversation-item.ts';
import { getOtherContact } from './participants.ts';
import type { Settings } from './settings.ts';

/** Change to flags. Absent fields stay unchanged. */
export interface FlagChange {
  is_pinned?: boolean | undefined;
  is_muted?: boolean | undefined;
  /** Unix seconds; null unarchives. */
  archived_at?: number | null | undefined;
}

export const withFlags = (settings: Settings, change: FlagChange): Settings => ({
  ...settings,
  is_pinned: change.is_pinned ?? settings.is_pinned,
  is_muted: change.is_muted ?? settings.is_muted,
  archived_at:
    change.archived_at === undefined ? settings.archived_at : (change.archived_at ?? undefined),
});

export const toFlags = ({ is_pinned, is_muted, archived_at }: Settings): Flags => ({
  muted: is_muted === true,
  archived: archived_at !== undefined,
  pinned: is_pinned === true,
});

export function areFlagsEqual(one: Settings, other: Settings): boolean {
  const [a, b] = [toFlags(one), toFlags(other)];
  return a.muted === b.muted && a.pinned === b.pinned && one.archived_at === other.archived_at;
}

/** Converts flags to stored attributes. The flag index contains the item if a flag is set. */
export function toFlagAttributes({ conversation, settings }: ConversationView, contactId: string) {
  const flags = toFlags(settings);
  const isFlagged = flags.muted || flags.archived || flags.pinned;
  return {
    is_pinned: settings.is_pinned || undefined,
    is_muted: settings.is_muted || undefined,
    archived_at: settings.archived_at,
    ...toFlaggedKeys(conversation.id, contactId, flags),
    // Fields of the conversation that the index needs. They never change.
    group_id: isFlagged ? conversation.group_id : undefined,
    contact_id: (isFlagged && getOtherContact(conversation, contactId)) || undefined,
    is_named: (isFlagged && conversation.contact_id === contactId) || undefined,
  };
}
