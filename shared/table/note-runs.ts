import { clock } from '../clock.ts';
import { update } from './access.ts';
import { mayBeFilled } from './decide-holes.ts';
import { messageKey } from './keys.ts';
import { emptyAround, isMessage, type LogEntry, type Marker } from './message-items.ts';

/** Whoever begins to read inside a run reads so many of its markers at most before one tells where the run ends. */
const notesApart = 500;
/** Of a run that is longer than that, the next reader notes more. */
const mostNotes = 20;

/** Markers one after the other, with nothing between them that may still become a message; in the order of their places. */
type Run = [Marker, ...Marker[]];

/**
 * Writes on the ends of the runs of at least `least` markers among the entries where the run begins and ends, so that
 * nobody need read all of it again. What is written stays true: a place that is decided to hold no message never will. So
 * notes of many at once do no harm, and a lost one costs only time.
 */
export async function noteRuns(
  conversationId: string,
  entries: LogEntry[],
  least: number,
): Promise<void> {
  const notes = runsIn(entries, clock.now())
    .filter((run) => run.length >= least)
    .flatMap(notesOf)
    .slice(0, mostNotes);
  await Promise.all(notes.map((note) => write(conversationId, note)));
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

/** What is to be written on a run's ends, and on some between: the ends first. */
function notesOf(run: Run): Required<Pick<Marker, 'sequence' | 'empty_from' | 'empty_to'>>[] {
  const [low, high] = [run[0], run.at(-1) ?? run[0]];
  const range = {
    empty_from: emptyAround(low)?.from ?? low.sequence,
    empty_to: emptyAround(high)?.to ?? high.sequence,
  };
  const between = run.filter((_, n) => n > 0 && n % notesApart === 0);
  return [...new Set([low, high, ...between])]
    .filter(
      ({ empty_from, empty_to }) => empty_from !== range.empty_from || empty_to !== range.empty_to,
    )
    .map(({ sequence }) => ({ sequence, ...range }));
}

const write = (
  conversationId: string,
  {
    sequence,
    empty_from,
    empty_to,
  }: Required<Pick<Marker, 'sequence' | 'empty_from' | 'empty_to'>>,
) =>
  update({
    Key: messageKey(conversationId, sequence),
    UpdateExpression: 'SET empty_from = :from, empty_to = :to',
    // It has not been purged, and nobody else has noted a longer run.
    ConditionExpression: [
      'attribute_exists(pk)',
      '(attribute_not_exists(empty_from) OR empty_from >= :from)',
      '(attribute_not_exists(empty_to) OR empty_to <= :to)',
    ].join(' AND '),
    ExpressionAttributeValues: { ':from': empty_from, ':to': empty_to },
  });
