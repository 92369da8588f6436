import { ApiError, invalidParameter } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import type { Event } from '../../contract/resources/event.ts';
import type { Page } from '../../contract/schema/list-schema.ts';
import { getInboxes } from '../../inbox.ts';
import { countFitting } from '../../paging.ts';
import { withMemberships } from '../groups/list-memberships.ts';
import { formatCursor, type Positions, parseCursor } from './feed-cursor.ts';
import { getFeedEpoch } from './feed-epoch.ts';
import {
  getEndPositions,
  getPositionsAfter,
  readFeeds,
  type SequencedEntry,
} from './read-feeds.ts';
import { renderEvents } from './render-events.ts';

/** Maximum entries rendered at once: each reads two of the 100 keys of a BatchGetItem call. */
const entriesPerBatch = 50;

/**
 * Returns a page of the caller's events, from the cursor or the oldest retained one. It may hold
 * fewer than `limit`: some may not be seen, or exceed a reply. Throws `parameter_invalid` for
 * `starting_after`, and `cursor_expired`.
 */
export async function readEventsPage(
  tokenCaller: Caller,
  cursor: string | undefined,
  limit: number,
): Promise<Page<Event>> {
  // Before any read.
  if (cursor !== undefined) parseOwnCursor(cursor, tokenCaller.id, []);
  const currentEpoch = getFeedEpoch();
  currentEpoch.catch(() => {});
  const caller = await withMemberships(tokenCaller);
  const inboxes = getInboxes(caller);
  const parsed = cursor === undefined ? undefined : parseOwnCursor(cursor, caller.id, inboxes);
  if (parsed?.outcome === 'expired') throw new ApiError('cursor_expired');
  const [epoch, { start, entries, more }] = await Promise.all([
    currentEpoch,
    readFeeds(inboxes, parsed?.cursor.positions, limit),
  ]);
  if (parsed && parsed.cursor.epoch !== epoch) throw new ApiError('cursor_expired');

  const { data, renderedCount } = await renderFittingEvents(caller, entries);
  const positions = getPositionsAfter(start, entries.slice(0, renderedCount));
  return {
    data,
    has_more: more || renderedCount < entries.length,
    last: formatCursor({ epoch, positions }, caller.id),
  };
}

/** Parses a cursor. Throws `parameter_invalid` for a text that is not a cursor of the caller. */
function parseOwnCursor(...given: Parameters<typeof parseCursor>) {
  const parsed = parseCursor(...given);
  if (parsed.outcome !== 'invalid') return parsed;
  throw invalidParameter('starting_after', 'must be a cursor that this caller received');
}

/** Returns the events of the first entries that fit one reply, and the number of those entries. */
async function renderFittingEvents(caller: Caller, entries: readonly SequencedEntry[]) {
  const data: Event[] = [];
  const shown = new Set<string>();
  for (let renderedCount = 0; renderedCount < entries.length; renderedCount += entriesPerBatch) {
    const batch = entries.slice(renderedCount, renderedCount + entriesPerBatch);
    const events = await renderEvents(caller, batch, shown);
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

export async function getCurrentCursor(
  caller: Caller,
): Promise<{ cursor: string; positions: Positions }> {
  const [epoch, positions] = await Promise.all([
    getFeedEpoch(),
    getEndPositions(getInboxes(caller)),
  ]);
  return { cursor: formatCursor({ epoch, positions }, caller.id), positions };
}
