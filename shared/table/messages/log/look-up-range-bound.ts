import { getItems } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { getTombstoneRange, type LogEntry, toLogEntry } from './message-item.ts';

/** Places of a log that were read on the way in one direction, in its order. */
interface RangeBoundQuery {
  conversationId: string;
  direction: 'older' | 'newer';
  /** Those read last: markers only. */
  page: LogEntry[];
  /** All of them. */
  entries: LogEntry[];
  /** Ends that were asked before. */
  checkedBounds: readonly number[];
}

/**
 * A run of empty places grows while messages are deleted, and a marker within it tells of it as it was when it ended there.
 * Its ends know what has become of it: so the one behind the reader is asked for the one ahead. Gives the place that was
 * asked, and the last of the markers with what it has learnt by that; undefined where nothing is to be learnt.
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
  // What a marker tells stays true: a replica's word is enough.
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
