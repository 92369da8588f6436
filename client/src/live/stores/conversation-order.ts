import type { Conversation, ListConversationsParams } from '../../generated/types.ts';

export type ConversationFilters = Pick<
  ListConversationsParams,
  'muted' | 'archived' | 'pinned' | 'group_id' | 'contact_id' | 'exclude'
>;

/** What the order of a list goes by. */
export interface RankedConversation {
  readonly conversation: Conversation;
  /** Among those that were active in the same second: the lowest first. */
  readonly rank: number;
}

/** Unix seconds. */
export const getLastActivity = ({ last_active_at, created_at }: Conversation): number =>
  last_active_at ?? created_at;

const isSortedById = ({ muted, archived, pinned }: ConversationFilters) =>
  Boolean(muted || archived || pinned);

/** The API's order: with flags the newest conversation first, else the most recently active one. */
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

/** Whether a conversation that is not above `last` cannot be told to be below it: times are whole seconds. */
export const isAtOrAbove = (
  filters: ConversationFilters,
  one: Conversation,
  last: Conversation,
): boolean =>
  isSortedById(filters) ? one.id >= last.id : getLastActivity(one) >= getLastActivity(last);

/** Whether the order of two of these is not told by their times. */
export const sharesActivitySecond = (
  filters: ConversationFilters,
  one: Conversation,
  others: Iterable<Conversation>,
) =>
  !isSortedById(filters) &&
  [...others].some(
    (other) => other.id !== one.id && getLastActivity(other) === getLastActivity(one),
  );

/** Whether a conversation belongs to the list of these filters. */
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
  // A contact alone means the direct ones.
  if (group_id === undefined) return contact_id === undefined || one.group_id === null;
  return one.group_id === group_id;
}
