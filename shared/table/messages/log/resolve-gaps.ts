import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { getItems } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { fillGap } from './fill-gap.ts';
import {
  getTombstoneRange,
  type LogEntry,
  type MessageTombstone,
  toLogEntry,
} from './message-item.ts';

/** Most sends finish within it: worth waiting for once. */
const gapRetryDelay = 30;
/**
 * As many sends may be under way at once as an account runs functions, unless its limit has been raised: what is farther
 * below is taken for dead.
 */
const maxConcurrentSends = 1000;

/** A place that was given out but holds nothing, and when it was given out at the latest. */
interface Gap {
  sequence: number;
  reservedBefore: number;
}

/**
 * Makes the entries complete from `floor` (not included) up to the highest of them. Places that have been given out but
 * hold nothing yet are read once more after a moment, and then marked as empty; the sender, if there still is one, takes
 * another place above. So nobody is ever shown a message above a place that is undecided. As every other place leaves a
 * trace, there are no more of them than sends under way and sends that have died.
 */
export async function resolveGaps(
  conversationId: string,
  entries: LogEntry[],
  floor: number,
): Promise<LogEntry[]> {
  const gaps = findGaps(entries, floor, clock.now());
  if (gaps.length === 0) return entries;
  await clock.sleep(gapRetryDelay);
  const lateItems = await getItems(
    gaps.map(({ sequence }) => messageKey(conversationId, sequence)),
  );
  const arrived = lateItems.map(toLogEntry);
  const remaining = gaps.filter(
    (gap) => !arrived.some(({ sequence }) => sequence === gap.sequence),
  );
  const resolved = await Promise.all(
    remaining.map(({ sequence, reservedBefore }) =>
      fillGap(conversationId, sequence, reservedBefore),
    ),
  );
  return [...entries, ...arrived, ...resolved];
}

/** The places between the entries that may still be filled. */
function findGaps(entries: LogEntry[], floor: number, now: number): Gap[] {
  const ascending = entries.toSorted((a, b) => a.sequence - b.sequence);
  return ascending.flatMap((entry, n) => {
    const lower = ascending[n - 1];
    return canBeFilled(entry, now)
      ? gapsBetween(lower ? (getTombstoneRange(lower)?.rangeEnd ?? lower.sequence) : floor, entry)
      : [];
  });
}

/**
 * Up to which place the log is decided above `floor`: at most as far as the entries go, which are in the order of their
 * places, and not as far as a place that may still be filled.
 */
export function getResolvedUpTo(
  entries: readonly EntryBounds[],
  floor: number,
  now: number,
): number {
  let resolved = floor;
  for (const entry of entries) {
    const { sequence, empty_from = sequence, empty_to = sequence } = entry;
    if (empty_from > resolved + 1 && canBeFilled(entry, now)) return resolved;
    resolved = Math.max(resolved, empty_to);
  }
  return resolved;
}

/** What of an entry tells which places around it are decided. */
export type EntryBounds = Pick<
  MessageTombstone,
  'sequence' | 'previous_at' | 'empty_from' | 'empty_to'
>;

/** A place below the entry that holds nothing may be one of a send that still lives. */
export const canBeFilled = (
  { previous_at }: Pick<MessageTombstone, 'previous_at'>,
  now: number,
): boolean => now - previous_at <= maxRequestMilliseconds;

function gapsBetween(below: number, entry: LogEntry): Gap[] {
  const end = getTombstoneRange(entry)?.rangeStart ?? entry.sequence;
  const first = Math.max(below + 1, end - maxConcurrentSends);
  return Array.from({ length: Math.max(0, end - first) }, (_, step) => ({
    sequence: first + step,
    reservedBefore: entry.previous_at,
  }));
}
