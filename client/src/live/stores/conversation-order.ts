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

/** Returns the time of the last activity in Unix seconds. */
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
  one: Conversation,
  last: Conversation,
): boolean =>
  isSortedById(filters) ? one.id >= last.id : getLastActivity(one) >= getLastActivity(last);

/**
 * Reports whether the list is ordered by activity and another conversation was last active in the
 * same second.
 */
export const sharesActivitySecond = (
  filters: ConversationFilters,
  one: Conversation,
  others: Iterable<Conversation>,
) =>
  !isSortedById(filters) &&
  [...others].some(
    (other) => other.id !== one.id && getLastActivity(other) === getLastActivity(one),
  );

/** Reports whether a conversation matches the filters. */
export function matchesFilters(filters: ConversationFilters, one: Conversation): boolean {
  const { muted, archived, pinned, group_id, contact_id, exclude = [] } = filters;
  const flags = {
    muted: one.is_muted,
    archived: one.archived_at !== null,
    pinned: one.is_pinned,
  };
  if ((muted && !flags.muted) || (archived && !flags.archived) || (pinned && !flags.pinned))
    return false;
  if (exclude.some((flag) => flags[flag])) return false;
  if (contact_id !== undefined && one.contact_id !== contact_id) return false;
  // `contact_id` without `group_id` selects direct conversations.
  if (group_id === undefined) return contact_id === undefined || one.group_id === null;
  return one.group_id === group_id;
}
