import { clock, requestsLiveAtMost } from '../../clock.ts';
import { getItems } from '../calls/access.ts';
import { messageKey } from '../keys/keys.ts';
import { emptyAround, type LogEntry, type Marker, toLogEntry } from './items.ts';
import { markEmpty } from './mark-empty.ts';

/** Most sends finish within it: worth waiting for once. */
const patience = 30;
/**
 * As many sends may be under way at once as an account runs functions, unless its limit has been raised: what is farther
 * below is taken for dead.
 */
const mostUnderWay = 1000;

/** A place that was given out but holds nothing, and when it was given out at the latest. */
interface Hole {
  sequence: number;
  givenOutBy: number;
}

/**
 * Makes the entries complete from `floor` (not included) up to the highest of them. Places that have been given out but
 * hold nothing yet are read once more after a moment, and then marked as empty; the sender, if there still is one, takes
 * another place above. So nobody is ever shown a message above a place that is undecided. As every other place leaves a
 * trace, there are no more of them than sends under way and sends that have died.
 */
export async function decideHoles(
  conversationId: string,
  entries: LogEntry[],
  floor: number,
): Promise<LogEntry[]> {
  const holes = holesIn(entries, floor, clock.now());
  if (holes.length === 0) return entries;
  await clock.sleep(patience);
  const late = await getItems(holes.map(({ sequence }) => messageKey(conversationId, sequence)));
  const arrived = late.map(toLogEntry);
  const still = holes.filter((hole) => !arrived.some(({ sequence }) => sequence === hole.sequence));
  const decided = await Promise.all(
    still.map(({ sequence, givenOutBy }) => markEmpty(conversationId, sequence, givenOutBy)),
  );
  return [...entries, ...arrived, ...decided];
}

/** The places between the entries that may still be filled. */
function holesIn(entries: LogEntry[], floor: number, now: number): Hole[] {
  const upwards = entries.toSorted((a, b) => a.sequence - b.sequence);
  return upwards.flatMap((entry, n) => {
    const lower = upwards[n - 1];
    return mayBeFilled(entry, now)
      ? between(lower ? (emptyAround(lower)?.to ?? lower.sequence) : floor, entry)
      : [];
  });
}

/**
 * Up to which place the log is decided above `floor`: at most as far as the entries go, which are in the order of their
 * places, and not as far as a place that may still be filled.
 */
export function decidedTo(entries: readonly Decided[], floor: number, now: number): number {
  let decided = floor;
  for (const entry of entries) {
    const { sequence, empty_from = sequence, empty_to = sequence } = entry;
    if (empty_from > decided + 1 && mayBeFilled(entry, now)) return decided;
    decided = Math.max(decided, empty_to);
  }
  return decided;
}

/** What of an entry tells which places around it are decided. */
export type Decided = Pick<Marker, 'sequence' | 'previous_at' | 'empty_from' | 'empty_to'>;

/** A place below the entry that holds nothing may be one of a send that still lives. */
export const mayBeFilled = ({ previous_at }: Pick<Marker, 'previous_at'>, now: number): boolean =>
  now - previous_at <= requestsLiveAtMost;

function between(below: number, entry: LogEntry): Hole[] {
  const end = emptyAround(entry)?.from ?? entry.sequence;
  const first = Math.max(below + 1, end - mostUnderWay);
  return Array.from({ length: Math.max(0, end - first) }, (_, step) => ({
    sequence: first + step,
    givenOutBy: entry.previous_at,
  }));
}
