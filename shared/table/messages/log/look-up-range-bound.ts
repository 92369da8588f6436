import { getItems } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { type Direction, getTombstoneRange, type LogEntry, toLogEntry } from './message-item.ts';

interface RangeBoundQuery {
  conversationId: string;
  direction: Direction;
  page: LogEntry[];
  entries: LogEntry[];
  checkedBounds: readonly number[];
}

/**
 * Looks up the current bounds of a tombstone range, which may have grown. Only the tombstones at
 * the range's ends are certain to contain these bounds, so this function reads the end opposite to
 * `direction`. Returns the sequence number of that end and the page's last entry. If the range
 * contains this entry, the returned entry has the range's current bounds. If the end was already
 * read or looked up, or the page is empty, returns `undefined`.
 */
export async function lookUpRangeBound({
  conversationId,
  direction,
  page,
  entries,
  checkedBounds,
}: RangeBoundQuery): Promise<{ bound: number; tombstone: LogEntry } | undefined> {
  const last = page.at(-1);
  if (!last) return undefined;
  const ranges = page.flatMap((entry) => getTombstoneRange(entry) ?? []);
  const sequences = entries.map(({ sequence }) => sequence);
  const [bound, isBehind] =
    direction === 'older'
      ? [
          Math.max(...ranges.map(({ rangeEnd }) => rangeEnd)),
          (bound: number) => bound > Math.max(...sequences),
        ]
      : [
          Math.min(...ranges.map(({ rangeStart }) => rangeStart)),
          (bound: number) => bound < Math.min(...sequences),
        ];
  if (!isBehind(bound) || checkedBounds.includes(bound)) return undefined;
  // Stored bounds remain valid, so an eventually consistent read suffices.
  const [item] = await getItems([messageKey(conversationId, bound)], { consistent: false });
  const range = item && getTombstoneRange(toLogEntry(item));
  const containsLast =
    range && range.rangeStart <= last.sequence && range.rangeEnd >= last.sequence;
  return {
    bound,
    tombstone: containsLast
      ? { ...last, empty_from: range.rangeStart, empty_to: range.rangeEnd }
      : last,
  };
}
