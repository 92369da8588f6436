import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { update } from '../../calls/access.ts';
import { exists } from '../../calls/expressions.ts';
import { maxRemoved, removeItems } from '../../calls/remove-items.ts';
import { messageKey } from '../../keys/keys.ts';
import { isMessage, type LogEntry, type MessageTombstone } from './message-item.ts';
import { canBeFilled } from './resolve-gaps.ts';

/** Markers that are as soon read as leapt over. */
export const skipThreshold = 64;
/** Whoever begins to read inside a run reads so many of its markers at most before one tells where the run ends. */
const boundsSpacing = 500;
/** Of a run that is longer than that, the next reader notes more. */
const maxBoundsUpdates = 20;

/** Markers one after the other, with nothing between them that may still become a message; in the order of their places. */
type TombstoneRange = [MessageTombstone, ...MessageTombstone[]];

/**
 * Spares others what has just been read of deleted messages. Markers at the ends of a long run are told where it begins
 * and ends, so that it can be leapt over; and some of those between two others are removed, of which no request can be
 * under way any more. Both leave the log as true as it was: a place that is decided to hold no message never will, and
 * once all that was given out before a marker is old, nothing below it is waited for (see decide-holes.ts). So many may do
 * it at once, and what is lost costs only time.
 */
export async function compactTombstoneRanges(
  conversationId: string,
  entries: LogEntry[],
): Promise<void> {
  const now = clock.now();
  const ranges = findTombstoneRanges(entries, now);
  const boundsUpdates = ranges.filter(isLong).flatMap(toBoundsUpdates).slice(0, maxBoundsUpdates);
  await Promise.all(boundsUpdates.map((boundsUpdate) => writeBounds(conversationId, boundsUpdate)));
  const removable = ranges.flatMap((range) => findRemovable(range, now)).slice(0, maxRemoved);
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

/** A run's first and last place, as far as any of its markers knows. */
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

/** What is to be written on a run's ends, and on some between: the ends first. */
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
    // It is still there, and nobody else has noted a longer run.
    ConditionExpression: [
      exists,
      '(attribute_not_exists(empty_from) OR empty_from >= :from)',
      '(attribute_not_exists(empty_to) OR empty_to <= :to)',
    ].join(' AND '),
    ExpressionAttributeValues: { ':from': empty_from, ':to': empty_to },
  });

/**
 * Those between the ends that nobody needs any more: not those who leap from it, and no request, neither the one that took
 * the place, which might put its message there once more, nor the one that deleted the message, which knows itself by its
 * marker.
 */
const findRemovable = (range: TombstoneRange, now: number): MessageTombstone[] =>
  range.filter((tombstone, n) => {
    const above = range[n + 1];
    return (
      n > 0 &&
      above !== undefined &&
      tombstone.empty_from === undefined &&
      !canBeFilled(above, now) &&
      now - (tombstone.deleted_at ?? 0) > maxRequestMilliseconds
    );
  });
