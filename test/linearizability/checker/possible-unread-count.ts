import type { Span } from './conversation-state.ts';

/**
 * Reports whether the unread count is possible while the conversation changes from `begun` to
 * `now`. The service reads the read position and each message at different times between the two
 * states. The service does not wait for gaps, so the count may include a message but omit an
 * earlier message that is still in flight.
 */
export function isPossibleUnreadCount(
  person: string,
  unread: number,
  sentBy: (text: string) => string | undefined,
  { begun, now, mayHaveUnseen, wasSeen }: Span,
): boolean {
  if (begun.isDeleted) return false;
  const [from, to] = [begun, now].map(({ read }) => read.get(person) ?? 0);
  for (let position = from ?? 0; position <= (to ?? 0); position++) {
    const others = now.log.slice(position).filter((text) => sentBy(text) !== person);
    const minUnread = others.filter((text) => wasSeen(text) && !now.deleted.has(text)).length;
    const maxUnread = others.filter((text) => !begun.deleted.has(text)).length;
    if (minUnread <= unread && (unread <= maxUnread || mayHaveUnseen)) return true;
  }
  return false;
}
