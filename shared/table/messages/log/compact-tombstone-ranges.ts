import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { update } from '../../calls/access.ts';
import { existsCondition } from '../../calls/expressions.ts';
import { maxKeysPerBatch, removeItems } from '../../calls/remove-items.ts';
import { messageKey } from '../../keys/keys.ts';
import { isMessage, type LogEntry, type MessageTombstone } from './message-item.ts';
import { canBeFilled } from './resolve-gaps.ts';

/**
 * Length of a tombstone range, in sequence numbers, above which skipping is cheaper than reading.
 */
export const skipThreshold = 64;
/**
 * Distance between tombstones that store the range bounds. A read that starts inside a range finds
 * the bounds within this number of tombstones.
 */
const boundsSpacing = 500;
/**
 * Maximum number of tombstones updated per compaction. Later compactions update the remaining
 * tombstones.
 */
const maxBoundsUpdates = 20;

/** Consecutive tombstones in ascending order, without a gap that may still be filled. */
type TombstoneRange = [MessageTombstone, ...MessageTombstone[]];

/**
 * Compacts the tombstones among entries that were just read. Writes the bounds of a long range to
 * its end tombstones and to every 500th tombstone, so that readers can skip the range. In ranges of
 * any length, removes inner tombstones that no running request can need. Concurrent calls are safe.
 * If a write fails, later reads are slower but correct.
 */
export async function compactTombstoneRanges(
  conversationId: string,
  entries: LogEntry[],
): Promise<void> {
  const now = clock.now();
  const ranges = findTombstoneRanges(entries, now);
  const boundsUpdates = ranges.filter(isLong).flatMap(toBoundsUpdates).slice(0, maxBoundsUpdates);
  await Promise.all(boundsUpdates.map((boundsUpdate) => writeBounds(conversationId, boundsUpdate)));
  const removable = ranges.flatMap((range) => findRemovable(range, now)).slice(0, maxKeysPerBatch);
  if (removable.length === 0) return;
  await removeItems(removable.map(({ sequence }) => messageKey(conversationId, sequence)));
}

function findTombstoneRanges(entries: LogEntry[], now: number): TombstoneRange[] {
  const ascending = [...new Map(entries.map((entry) => [entry.sequence, entry])).values()].sort(
    (a, b) => a.sequence - b.sequence,
  );
  const ranges: TombstoneRange[] = [];
  let range: TombstoneRange | undefined;
  for (const entry of ascending) {
    if (isMessage(entry)) {
      range = undefined;
    } else if (range && continuesRange(entry, range, now)) {
      range.push(entry);
    } else {
      range = [entry];
      ranges.push(range);
    }
  }
  return ranges;
}

function continuesRange(entry: MessageTombstone, range: TombstoneRange, now: number): boolean {
  const below = range.at(-1) ?? range[0];
  const isAdjacent =
    (below.empty_to ?? below.sequence) >= entry.sequence - 1 ||
    (entry.empty_from ?? entry.sequence) <= below.sequence + 1;
  return isAdjacent || !canBeFilled(entry, now);
}

function getRangeBounds(range: TombstoneRange) {
  return {
    empty_from: Math.min(...range.map((tombstone) => tombstone.empty_from ?? tombstone.sequence)),
    empty_to: Math.max(...range.map((tombstone) => tombstone.empty_to ?? tombstone.sequence)),
  };
}

function isLong(range: TombstoneRange): boolean {
  const { empty_from, empty_to } = getRangeBounds(range);
  return empty_to - empty_from >= skipThreshold;
}

type BoundsUpdate = ReturnType<typeof getRangeBounds> & { sequence: number };

/** Returns a range's updates: both ends first, because `maxBoundsUpdates` may cut off the rest. */
function toBoundsUpdates(range: TombstoneRange): BoundsUpdate[] {
  const bounds = getRangeBounds(range);
  const hasOtherBounds = ({ empty_from, empty_to }: MessageTombstone) =>
    empty_from !== bounds.empty_from || empty_to !== bounds.empty_to;
  const between = range.filter((_, n) => n % boundsSpacing === 0);
  return [...new Set([range[0], range.at(-1) ?? range[0], ...between])]
    .filter(hasOtherBounds)
    .map(({ sequence }) => ({ sequence, ...bounds }));
}

const writeBounds = (conversationId: string, { sequence, empty_from, empty_to }: BoundsUpdate) =>
  update({
    Key: messageKey(conversationId, sequence),
    UpdateExpression: 'SET empty_from = :from, empty_to = :to',
    // Requires that the tombstone exists and that no concurrent call has written wider bounds.
    ConditionExpression: [
      existsCondition,
      '(attribute_not_exists(empty_from) OR empty_from >= :from)',
      '(attribute_not_exists(empty_to) OR empty_to <= :to)',
    ].join(' AND '),
    ExpressionAttributeValues: { ':from': empty_from, ':to': empty_to },
  });

/** Returns the inner tombstones that no read, send or deletion in progress can need. */
const findRemovable = (range: TombstoneRange, now: number): MessageTombstone[] =>
  range.filter((tombstone, n) => {
    const above = range[n + 1];
    return (
      n > 0 &&
      above !== undefined &&
      tombstone.empty_from === undefined &&
      tombstone.attachment_ids === undefined &&
      !canBeFilled(above, now) &&
      now - (tombstone.deleted_at ?? 0) > maxRequestMilliseconds
    );
  });
