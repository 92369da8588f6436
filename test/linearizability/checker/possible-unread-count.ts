import type { Span } from './conversation-state.ts';

/**
 * Whether a person may have been told this number of unread messages while the conversation went from `begun` to `now`.
 * What the person had been given is as it was at one moment in between, and each message counts as it was at a moment of
 * its own. No place below is waited for: who is still sending may not count, while somebody who was told later does.
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
