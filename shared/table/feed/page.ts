import type { Caller } from '../../caller.ts';
import type { Event } from '../../contract/event.ts';
import type { Page } from '../../contract/list.ts';
import { ApiError, invalid } from '../../errors.ts';
import { ownInboxes } from '../../inbox.ts';
import { mostFitting } from '../../reply-size.ts';
import { cursorText, type Positions, readCursor } from './cursor.ts';
import { feedEpoch } from './epoch.ts';
import { endOfFeeds, type Placed, positionsAfter, readFeeds } from './read.ts';
import { showEvents } from './show.ts';

/** So many entries are shown at once: the conversation and the message or settings of each are one call. */
const shownAtOnce = 50;

/**
 * A page of the caller's events from a cursor on, or from the oldest kept. It may have fewer than there are: what is not for
 * the caller to see is left out, and it ends before it is larger than a reply. Throws `parameter_invalid` for
 * `starting_after`, and `cursor_expired`.
 */
export async function eventsPage(
  caller: Caller,
  cursor: string | undefined,
  limit: number,
): Promise<Page<Event>> {
  const inboxes = ownInboxes(caller);
  const read = cursor === undefined ? undefined : readCursor(cursor, caller.id, inboxes);
  if (read?.outcome === 'wrong') {
    throw invalid('starting_after', 'must be a cursor that this caller was given');
  }
  if (read?.outcome === 'expired') throw new ApiError('cursor_expired');
  const [epoch, { start, entries, more }] = await Promise.all([
    feedEpoch(),
    readFeeds(inboxes, read?.cursor.positions, limit),
  ]);
  if (read && read.cursor.epoch !== epoch) throw new ApiError('cursor_expired');

  const { data, shown } = await fittingEvents(caller, entries);
  const positions = positionsAfter(start, entries.slice(0, shown));
  return {
    data,
    has_more: more || shown < entries.length,
    last: cursorText({ epoch, positions }, caller.id),
  };
}

/** The events of the first entries that one reply can hold, and of how many entries these are. */
async function fittingEvents(caller: Caller, entries: readonly Placed[]) {
  const data: Event[] = [];
  for (let shown = 0; shown < entries.length; shown += shownAtOnce) {
    const events = await showEvents(caller, entries.slice(shown, shown + shownAtOnce));
    const present = events.flatMap((event) => event ?? []);
    const fitting = mostFitting([...data, ...present]);
    if (fitting < data.length + present.length) {
      const first = present[fitting - data.length];
      data.push(...present.slice(0, fitting - data.length));
      return { data, shown: shown + events.indexOf(first) };
    }
    data.push(...present);
  }
  return { data, shown: entries.length };
}

/** The cursor after all that has happened, and the positions that it has. */
export async function cursorOfNow(
  caller: Caller,
): Promise<{ cursor: string; positions: Positions }> {
  const [epoch, positions] = await Promise.all([feedEpoch(), endOfFeeds(ownInboxes(caller))]);
  return { cursor: cursorText({ epoch, positions }, caller.id), positions };
}
