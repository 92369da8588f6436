import { clock, requestsLiveAtMost, toSeconds } from '../clock.ts';
import { getItems, putNew } from './access.ts';
import { messageKey } from './keys.ts';
import { type LogEntry, type Marker, markerLivesSeconds, toLogEntry } from './message-items.ts';

/** Most sends finish within it: worth waiting for once. */
const patience = 30;
/** More sends are never under way in one conversation: what is farther below was deleted long ago. */
const mostUnderWay = 1000;

/**
 * Makes the entries complete from `floor` (not included) up to the highest of them. Places that have been given out but
 * hold nothing yet are read once more after a moment, and then marked as empty; the sender, if there still is one, takes
 * another place above. So nobody is ever shown a message above a place that is undecided.
 */
export async function decideHoles(
  conversationId: string,
  entries: LogEntry[],
  floor: number,
): Promise<LogEntry[]> {
  const holes = holesIn(entries, floor, clock.now());
  if (holes.length === 0) return entries;
  await clock.sleep(patience);
  const late = await getItems(holes.map((hole) => messageKey(conversationId, hole)));
  const arrived = late.map(toLogEntry);
  const still = holes.filter((hole) => !arrived.some(({ sequence }) => sequence === hole));
  const decided = await Promise.all(still.map((hole) => markEmpty(conversationId, hole)));
  return [...entries, ...arrived, ...decided];
}

/** The places between the entries that may still be filled. */
function holesIn(entries: LogEntry[], floor: number, now: number): number[] {
  const upwards = entries.toSorted((a, b) => a.sequence - b.sequence);
  const below = [floor, ...upwards.map(({ sequence }) => sequence)];
  return upwards.flatMap(({ sequence, previous_at }, n) => {
    // A hole whose place was given out before that is dead, or was deleted.
    if (now - previous_at > requestsLiveAtMost) return [];
    const first = Math.max((below[n] ?? 0) + 1, sequence - mostUnderWay);
    return Array.from({ length: Math.max(0, sequence - first) }, (_, step) => first + step);
  });
}

async function markEmpty(conversationId: string, sequence: number): Promise<LogEntry> {
  const now = clock.now();
  const marker: Marker = { sequence, previous_at: now };
  const put = await putNew({
    ...messageKey(conversationId, sequence),
    ...marker,
    expires_at: toSeconds(now) + markerLivesSeconds,
  });
  return put.done || !put.found ? marker : toLogEntry(put.found);
}
