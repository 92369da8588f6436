import type { Conversation, ListConversationsParams } from '../generated/types.ts';

export type Filters = Pick<
  ListConversationsParams,
  'muted' | 'archived' | 'pinned' | 'group_id' | 'contact_id' | 'exclude'
>;

/** What the order of a list goes by. */
export interface Ordered {
  readonly conversation: Conversation;
  /** Among those that were active in the same second: the lowest first. */
  readonly rank: number;
}

/** Unix seconds. */
export const activeAt = ({ last_active_at, created_at }: Conversation): number =>
  last_active_at ?? created_at;

const isById = ({ muted, archived, pinned }: Filters) => Boolean(muted || archived || pinned);

/** The API's order: with flags the newest conversation first, else the most recently active one. */
export function inOrder(filters: Filters): (a: Ordered, b: Ordered) => number {
  const byId = (a: Ordered, b: Ordered) => (a.conversation.id < b.conversation.id ? 1 : -1);
  if (isById(filters)) return byId;
  return (a, b) =>
    activeAt(b.conversation) - activeAt(a.conversation) || a.rank - b.rank || byId(a, b);
}

/** Whether a conversation that is not above `last` cannot be told to be below it: times are whole seconds. */
export const isAbove = (filters: Filters, one: Conversation, last: Conversation): boolean =>
  isById(filters) ? one.id >= last.id : activeAt(one) >= activeAt(last);

/** Whether the order of two of these is not told by their times. */
export const isTied = (filters: Filters, one: Conversation, others: Iterable<Conversation>) =>
  !isById(filters) &&
  [...others].some((other) => other.id !== one.id && activeAt(other) === activeAt(one));

/** Whether a conversation belongs to the list of these filters. */
export function matches(filters: Filters, one: Conversation): boolean {
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
