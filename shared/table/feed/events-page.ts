import type { Caller } from '../../caller.ts';
import type { Event } from '../../contract/event.ts';
import type { Page } from '../../contract/list.ts';
import { ApiError, invalid } from '../../errors.ts';
import { ownInboxes } from '../../inbox.ts';
import { countFitting } from '../../reply-size.ts';
import { formatCursor, type Positions, parseCursor } from './feed-cursor.ts';
import { getFeedEpoch } from './feed-epoch.ts';
import { endOfFeeds, positionsAfter, readFeeds, type SequencedEntry } from './read-feeds.ts';
import { renderEvents } from './render-events.ts';

/** So many entries are shown at once: the conversation and the message or settings of each are one call. */
const entriesPerBatch = 50;

/**
 * A page of the caller's events from a cursor on, or from the oldest kept. It may have fewer than there are: what is not for
 * the caller to see is left out, and it ends before it is larger than a reply. Throws `parameter_invalid` for
 * `starting_after`, and `cursor_expired`.
 */
export async function readEventsPage(
  caller: Caller,
  cursor: string | undefined,
  limit: number,
): Promise<Page<Event>> {
  const inboxes = ownInboxes(caller);
  const read = cursor === undefined ? undefined : parseCursor(cursor, caller.id, inboxes);
  if (read?.outcome === 'wrong') {
    throw invalid('starting_after', 'must be a cursor that this caller was given');
  }
  if (read?.outcome === 'expired') throw new ApiError('cursor_expired');
  const [epoch, { start, entries, more }] = await Promise.all([
    getFeedEpoch(),
    readFeeds(inboxes, read?.cursor.positions, limit),
  ]);
  if (read && read.cursor.epoch !== epoch) throw new ApiError('cursor_expired');

  const { data, renderedCount } = await renderFittingEvents(caller, entries);
  const positions = positionsAfter(start, entries.slice(0, renderedCount));
  return {
    data,
    has_more: more || renderedCount < entries.length,
    last: formatCursor({ epoch, positions }, caller.id),
  };
}

/** The events of the first entries that one reply can hold, and of how many entries these are. */
async function renderFittingEvents(caller: Caller, entries: readonly SequencedEntry[]) {
  const data: Event[] = [];
  for (let renderedCount = 0; renderedCount < entries.length; renderedCount += entriesPerBatch) {
    const events = await renderEvents(
      caller,
      entries.slice(renderedCount, renderedCount + entriesPerBatch),
    );
    const present = events.flatMap((event) => event ?? []);
    const fitting = countFitting([...data, ...present]);
    if (fitting < data.length + present.length) {
      const first = present[fitting - data.length];
      data.push(...present.slice(0, fitting - data.length));
      return { data, renderedCount: renderedCount + events.indexOf(first) };
    }
    data.push(...present);
  }
  return { data, renderedCount: entries.length };
}

/** The cursor after all that has happened, and the positions that it has. */
export async function getCurrentCursor(
  caller: Caller,
): Promise<{ cursor: string; positions: Positions }> {
  const [epoch, positions] = await Promise.all([getFeedEpoch(), endOfFeeds(ownInboxes(caller))]);
  return { cursor: formatCursor({ epoch, positions }, caller.id), positions };
}
