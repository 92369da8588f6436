import type { Span } from './conversation-state.ts';

/**
 * Returns whether this unread count is possible while the conversation changes from `begun` to
 * `now`. The read position is from one point in time between them; each message counts as of a
 * point of its own. The count does not wait for gaps: a message in flight may be missing while a
 * later one counts.
 */
export function isPossibleUnreadCount(
  person: string,
  unread: number,
  sentBy: (text: string) => string | undefined,
  { begun, now, mayHaveUnseen, wasSeen }: Span,
): boolean {
  if (begun.gone) return false;
  const [from, to] = [begun, now].map(({ read }) => read.get(person) ?? 0);
  for (let given = from ?? 0; given <= (to ?? 0); given++) {
    const others = now.log.slice(given).filter((text) => sentBy(text) !== person);
    const least = others.filter((text) => wasSeen(text) && !now.deleted.has(text)).length;
    const most = others.filter((text) => !begun.deleted.has(text)).length;
    if (least <= unread && (unread <= most || mayHaveUnseen)) return true;
  }
  return false;
}
