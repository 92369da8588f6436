import { ApiError, invalidParameter } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import type { Event, EventType } from '../../../contract/resources/event.ts';
import type { Page } from '../../../contract/schema/list-schema.ts';
import { getInboxes, type Inbox } from '../../../inbox.ts';
import { countFitting } from '../../../paging.ts';
import { withMemberships } from '../../groups/list-memberships.ts';
import { getFeedEpoch } from '../feed-epoch.ts';
import { formatCursor, type ParsedCursor, type Positions, parseCursor } from './feed-cursor.ts';
import {
  getEndPositions,
  getPositionsAfter,
  readFeeds,
  type SequencedEntry,
} from './read-feeds.ts';
import { renderEvents } from './render-events.ts';

/**
 * Maximum number of entries to render at once. Most entries need two of a BatchGetItem call's 100
 * keys.
 */
const entriesPerBatch = 50;

/**
 * Returns a page of the caller's events, from the cursor or from the oldest retained event. The
 * page has fewer than `limit` events if the caller may not see some events, or if the events exceed
 * the maximum reply size. Throws `parameter_invalid` if the cursor is invalid, and `cursor_expired`
 * if it has expired.
 */
export async function readEventsPage(
  tokenCaller: Caller,
  cursor: string | undefined,
  limit: number,
): Promise<Page<Event>> {
  // Rejects an invalid cursor before any read.
  if (cursor !== undefined) parseOwnCursor(cursor, tokenCaller.id, []);
  const currentEpoch = getFeedEpoch();
  currentEpoch.catch(() => {});
  const caller = await withMemberships(tokenCaller);
  const inboxes = getInboxes(caller);
  const parsed = cursor === undefined ? undefined : parseOwnCursor(cursor, caller.id, inboxes);
  if (parsed?.outcome === 'expired') throw new ApiError('cursor_expired');
  const [epoch, { start, entries, hasMore }] = await Promise.all([
    currentEpoch,
    readFeeds(inboxes, parsed && (await withJoinedGroups(parsed)), limit),
  ]);
  if (parsed && parsed.cursor.epoch !== epoch) throw new ApiError('cursor_expired');

  const { data, renderedCount } = await renderFittingEvents(caller, entries);
  const rendered = entries.slice(0, renderedCount);
  const positions = new Map([
    ...getPositionsAfter(start, rendered),
    ...(await getPositionsOfNewGroups(caller, rendered)),
  ]);
  return {
    data,
    has_more: hasMore || renderedCount < entries.length,
    last: formatCursor({ epoch, positions }, caller.id),
  };
}

function parseOwnCursor(...args: Parameters<typeof parseCursor>) {
  const parsed = parseCursor(...args);
  if (parsed.outcome !== 'invalid') return parsed;
  throw invalidParameter('starting_after', 'must be a cursor that this caller received');
}

/** Returns the events that fit in one reply, and the number of entries they represent. */
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

/**
 * Returns the cursor's positions. For user groups missing from the cursor, adds the current feed
 * ends. Their earlier events are not needed: an app lists a new group's conversations after it has
 * received `group.member_added`.
 */
const withJoinedGroups = async ({
  cursor,
  joined,
}: Extract<ParsedCursor, { outcome: 'valid' }>): Promise<Positions> =>
  joined.length === 0
    ? cursor.positions
    : new Map([...cursor.positions, ...(await getEndPositions(joined, { stores: false }))]);

/**
 * Returns the current feed ends of groups that the caller joined after the memberships were read.
 * The next cursor must contain these groups, because the page has their `group.member_added`
 * events.
 */
async function getPositionsOfNewGroups(
  caller: Caller,
  entries: readonly SequencedEntry[],
): Promise<Positions> {
  const ids = entries
    .map(({ entry }) => entry)
    .filter(({ type, own, id }) => own && isNewGroup(type, id, caller))
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { groups } = await withMemberships({ ...caller, groups: [] });
  const inboxes = [...new Set(ids)]
    .filter((id) => groups.includes(id))
    .map((id): Inbox => ({ kind: 'group', id }));
  return getEndPositions(inboxes, { stores: false });
}

const isNewGroup = (type: EventType, id: string, { groups }: Caller): boolean =>
  type === 'group.member_added' && !groups.includes(id);

/**
 * Returns the caller with their user groups, and the current cursor. Reads the end of the caller's
 * feed before the memberships, so that the cursor contains every group whose `group.member_added`
 * event precedes that end.
 */
export async function getCurrentCursor(
  tokenCaller: Caller,
): Promise<{ caller: Caller; cursor: string; positions: Positions }> {
  const [epoch, ends] = await Promise.all([
    getFeedEpoch(),
    getEndPositions(getInboxes(tokenCaller), { stores: true }),
  ]);
  const caller = await withMemberships(tokenCaller);
  const joined = getInboxes(caller).slice(ends.size);
  const positions = new Map([...ends, ...(await getEndPositions(joined, { stores: true }))]);
  return { caller, cursor: formatCursor({ epoch, positions }, caller.id), positions };
}
