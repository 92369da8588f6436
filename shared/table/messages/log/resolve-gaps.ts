import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { lookUpItems, putNew, queryPage } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import {
  getTombstoneRange,
  type LogEntry,
  type MessageTombstone,
  toLogEntry,
} from './message-item.ts';

/** Milliseconds to wait once for sends in progress. Most sends finish within this time. */
const gapRetryDelay = 30;
/**
 * Maximum number of concurrent sends: Lambda's default concurrency limit per account. A gap counts
 * as a crashed send if its distance to the next entry exceeds this number.
 */
const maxConcurrentSends = 1000;

interface Gap {
  sequence: number;
  reservedBefore: number;
}

/**
 * Completes the entries above `floor`, so that no caller sees a message above an unresolved gap.
 * Waits once for sends that may still fill gaps, then writes tombstones into the remaining gaps. If
 * a filled gap belongs to a send in progress, the send reserves a new sequence number.
 */
export async function resolveGaps(
  conversationId: string,
  entries: LogEntry[],
  floor: number,
): Promise<LogEntry[]> {
  const gaps = findGaps(entries, floor, clock.now());
  if (gaps.length === 0) return entries;
  await clock.sleep(gapRetryDelay);
  const toKey = ({ sequence }: Gap) => messageKey(conversationId, sequence);
  const findItem = await lookUpItems(gaps.map(toKey));
  const resolved = gaps.map((gap) => {
    const arrived = findItem(toKey(gap));
    return arrived
      ? toLogEntry(arrived)
      : fillGap(conversationId, gap.sequence, gap.reservedBefore);
  });
  return [...entries, ...(await Promise.all(resolved))];
}

/** Returns the gaps between the entries, except those that sends can no longer fill. */
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
 * Finds the first gap above `floor` that can still be filled, and returns the sequence number
 * before it. If no gap can still be filled, returns the end of the last entry or, without entries,
 * `floor`. Entries must be in ascending order.
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

export type EntryBounds = Pick<
  MessageTombstone,
  'sequence' | 'previous_at' | 'empty_from' | 'empty_to'
>;

/** Reports whether a gap below the entry may belong to a send in progress. */
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

/**
 * Fills the gaps above the last entry of a log. `count` is the highest reserved sequence number,
 * reserved at `reservedAt` (milliseconds). If a filled gap belongs to a send in progress, the send
 * must reserve a new sequence number.
 */
export async function fillLastGaps(
  conversationId: string,
  count: number,
  reservedAt: number,
): Promise<void> {
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND ${tableKey.sort} BETWEEN :low AND :high`,
    ExpressionAttributeValues: {
      ':pk': messageKey(conversationId, 0).pk,
      ':low': messageKey(conversationId, 0).sk,
      ':high': messageKey(conversationId, count).sk,
    },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 1,
  });
  const last = items[0] ? toLogEntry(items[0]).sequence : 0;
  const first = Math.max(last, count - maxConcurrentSends) + 1;
  const gaps = Array.from({ length: Math.max(0, count - first + 1) }, (_, step) => first + step);
  await Promise.all(gaps.map((sequence) => fillGap(conversationId, sequence, reservedAt)));
}

/** Writes a tombstone into a gap, unless another request has filled it. Returns the entry. */
export async function fillGap(
  conversationId: string,
  sequence: number,
  previousAt: number,
): Promise<LogEntry> {
  const tombstone: MessageTombstone = { sequence, previous_at: previousAt };
  const put = await putNew({ ...messageKey(conversationId, sequence), ...tombstone });
  return put.done || !put.found ? tombstone : toLogEntry(put.found);
}
