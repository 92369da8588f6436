import { clock, requestsLiveAtMost } from '../../clock.ts';
import { update } from '../calls/access.ts';
import { exists } from '../calls/expressions.ts';
import { mostRemoved, removeItems } from '../calls/remove-items.ts';
import { messageKey } from '../keys/keys.ts';
import { mayBeFilled } from './decide-holes.ts';
import { isMessage, type LogEntry, type Marker } from './items.ts';

/** Markers that are as soon read as leapt over. */
export const worthALeap = 64;
/** Whoever begins to read inside a run reads so many of its markers at most before one tells where the run ends. */
const notesApart = 500;
/** Of a run that is longer than that, the next reader notes more. */
const mostNotes = 20;

/** Markers one after the other, with nothing between them that may still become a message; in the order of their places. */
type Run = [Marker, ...Marker[]];

/**
 * Spares others what has just been read of deleted messages. Markers at the ends of a long run are told where it begins
 * and ends, so that it can be leapt over; and some of those between two others are removed, of which no request can be
 * under way any more. Both leave the log as true as it was: a place that is decided to hold no message never will, and
 * once all that was given out before a marker is old, nothing below it is waited for (see decide-holes.ts). So many may do
 * it at once, and what is lost costs only time.
 */
export async function compactRuns(conversationId: string, entries: LogEntry[]): Promise<void> {
  const now = clock.now();
  const runs = runsIn(entries, now);
  const notes = runs.filter(isLong).flatMap(notesOf).slice(0, mostNotes);
  await Promise.all(notes.map((note) => write(conversationId, note)));
  const removable = runs.flatMap((run) => removableOf(run, now)).slice(0, mostRemoved);
  if (removable.length === 0) return;
  await removeItems(removable.map(({ sequence }) => messageKey(conversationId, sequence)));
}

function runsIn(entries: LogEntry[], now: number): Run[] {
  const upwards = [...new Map(entries.map((entry) => [entry.sequence, entry])).values()].sort(
    (a, b) => a.sequence - b.sequence,
  );
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const entry of upwards) {
    if (isMessage(entry)) {
      run = undefined;
    } else if (run && follows(entry, run, now)) {
      run.push(entry);
    } else {
      run = [entry];
      runs.push(run);
    }
  }
  return runs;
}

function follows(entry: Marker, run: Run, now: number): boolean {
  const below = run.at(-1) ?? run[0];
  const touches =
    (below.empty_to ?? below.sequence) >= entry.sequence - 1 ||
    (entry.empty_from ?? entry.sequence) <= below.sequence + 1;
  return touches || !mayBeFilled(entry, now);
}

/** A run's first and last place, as far as any of its markers knows. */
function rangeOf(run: Run) {
  return {
    empty_from: Math.min(...run.map((marker) => marker.empty_from ?? marker.sequence)),
    empty_to: Math.max(...run.map((marker) => marker.empty_to ?? marker.sequence)),
  };
}

function isLong(run: Run): boolean {
  const { empty_from, empty_to } = rangeOf(run);
  return empty_to - empty_from >= worthALeap;
}

type Note = ReturnType<typeof rangeOf> & { sequence: number };

/** What is to be written on a run's ends, and on some between: the ends first. */
function notesOf(run: Run): Note[] {
  const range = rangeOf(run);
  const isNews = ({ empty_from, empty_to }: Marker) =>
    empty_from !== range.empty_from || empty_to !== range.empty_to;
  const between = run.filter((_, n) => n % notesApart === 0);
  return [...new Set([run[0], run.at(-1) ?? run[0], ...between])]
    .filter(isNews)
    .map(({ sequence }) => ({ sequence, ...range }));
}

const write = (conversationId: string, { sequence, empty_from, empty_to }: Note) =>
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
const removableOf = (run: Run, now: number): Marker[] =>
  run.filter((marker, n) => {
    const above = run[n + 1];
    return (
      n > 0 &&
      above !== undefined &&
      marker.empty_from === undefined &&
      !mayBeFilled(above, now) &&
      now - (marker.deleted_at ?? 0) > requestsLiveAtMost
    );
  });
