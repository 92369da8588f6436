import type { ListConversationsParams } from '../../generated/params.ts';
import type { Conversation } from '../../generated/types.ts';

export type ConversationFilters = Pick<
  ListConversationsParams,
  'muted' | 'archived' | 'pinned' | 'group_id' | 'contact_id' | 'exclude'
>;

/** A conversation, and the rank that breaks ties in the order of a list. */
export interface RankedConversation {
  readonly conversation: Conversation;
  /** Position among conversations that were last active in the same second; the lowest is first. */
  readonly rank: number;
}

/** Returns the timestamp of the last activity in Unix seconds. */
export const getLastActivity = ({ last_active_at, created_at }: Conversation): number =>
  last_active_at ?? created_at;

const isSortedById = ({ muted, archived, pinned }: ConversationFilters) =>
  Boolean(muted || archived || pinned);

/**
 * Returns a comparator for the API's order, newest first: by creation if the filters require a
 * flag, otherwise by last activity.
 */
export function createConversationComparator(
  filters: ConversationFilters,
): (a: RankedConversation, b: RankedConversation) => number {
  const byId = (a: RankedConversation, b: RankedConversation) =>
    a.conversation.id < b.conversation.id ? 1 : -1;
  if (isSortedById(filters)) return byId;
  return (a, b) =>
    getLastActivity(b.conversation) - getLastActivity(a.conversation) ||
    a.rank - b.rank ||
    byId(a, b);
}

/** Reports whether a conversation is `last`, is above it, or was last active in the same second. */
export const isAtOrAbove = (
  filters: ConversationFilters,
  conversation: Conversation,
  last: Conversation,
): boolean =>
  isSortedById(filters)
    ? conversation.id >= last.id
    : getLastActivity(conversation) >= getLastActivity(last);

/**
 * Reports whether the list is ordered by activity and another conversation was last active in the
 * same second as `conversation`.
 */
export const sharesActivitySecond = (
  filters: ConversationFilters,
  conversation: Conversation,
  others: Iterable<Conversation>,
) =>
  !isSortedById(filters) &&
  [...others].some(
    (other) =>
      other.id !== conversation.id && getLastActivity(other) === getLastActivity(conversation),
  );

/** Reports whether a conversation matches the filters. */
export function matchesFilters(filters: ConversationFilters, conversation: Conversation): boolean {
  const { muted, archived, pinned, group_id, contact_id, exclude = [] } = filters;
  const flags = {
    muted: conversation.is_muted,
    archived: conversation.archived_at !== null,
    pinned: conversation.is_pinned,
  };
  if ((muted && !flags.muted) || (archived && !flags.archived) || (pinned && !flags.pinned))
    return false;
  if (exclude.some((flag) => flags[flag])) return false;
  if (contact_id !== undefined && conversation.contact_id !== contact_id) return false;
  // `contact_id` without `group_id` selects direct conversations.
  if (group_id === undefined) return contact_id === undefined || conversation.group_id === null;
  return conversation.group_id === group_id;
}
