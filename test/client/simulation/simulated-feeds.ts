import type { Event } from '../../../client/src/index.ts';
import type { PushEvent } from '../../../client/src/live/push-event.ts';
import { type GroupEntry, toGroupEvent } from './group-entries.ts';
import {
  getEntries,
  getFeeds,
  getGroups,
  type ServiceState,
  type SimulatedReply,
  toError,
  toReply,
} from './service-state.ts';
import {
  type Entry,
  getSettings,
  isParticipant,
  type SimulatedConversation,
  seconds,
  toConversation,
  toMessage,
  toOpening,
} from './simulated-conversations.ts';

const hour = 3_600_000;
export const getHour = (time: number) => Math.floor(time / hour);

type Change = Omit<Entry, 'at' | 'time'>;

export function publishToAll(state: ServiceState, change: Change): void {
  const { group, by, contact } = change.conversation;
  const feeds =
    group === null
      ? [...new Set([by, contact ?? by])].map((id) => `c:${id}`)
      : [`g:${group}`, ...(contact === null ? [] : [`c:${contact}`])];
  publish(state, change, feeds);
}

export const publish = (state: ServiceState, change: Change, feeds: readonly string[]): void =>
  append(state, change, feeds);

export const publishGroup = (
  state: ServiceState,
  change: Omit<GroupEntry, 'at' | 'time'>,
  feeds: readonly string[],
): void => append(state, change, feeds);

/**
 * Simulates the worker: appends a change to each feed and pushes it, after a random delay of 5 to
 * 405 ms. Only changes to the same resource keep their order.
 */
function append(
  state: ServiceState,
  change: Change | Omit<GroupEntry, 'at' | 'time'>,
  feeds: readonly string[],
): void {
  const { waiting, chance, push, maxPushedText = 20_000 } = state;
  const now = Date.now();
  for (const feed of feeds) {
    const before = waiting.filter(
      (one) => one.feed === feed && getSubject(one.entry) === getSubject(change),
    );
    const at = Math.max(now + 5 + chance() * 400, ...before.map((one) => one.at + 1));
    const entry = { ...change, at: seconds(now), time: now };
    const waits = { at, feed, entry };
    const pushed = toEvent(entry, undefined, feed, 0);
    waiting.push(waits);
    setTimeout(() => {
      waiting.splice(waiting.indexOf(waits), 1);
      const place = getEntries(state, feed).push(entry);
      push(feed, toPushEvent({ ...pushed, place }, entry, maxPushedText));
    }, at - now);
  }
}

const getSubject = (change: Change | Omit<GroupEntry, 'at' | 'time'>) =>
  'group' in change
    ? `${change.group.id} ${change.contactId}`
    : (change.message?.id ?? `${change.conversation.id}${change.reader ?? ''}`);

function toPushEvent(event: Event, entry: Entry | GroupEntry, maxPushedText: number): PushEvent {
  if ('group' in entry) return event;
  const { keepsContent } = entry;
  const { payload } = event;
  if (!payload || !('message' in payload) || payload.message.length <= maxPushedText) return event;
  if (!keepsContent) return { ...event, payload: null };
  const { message: _text, attachments: _attachments, ...part } = payload;
  return { ...event, type: 'message.updated', payload: part };
}

/**
 * Returns an event as the user sees it now. In a push, `contactId` is undefined, and the payload
 * for an existing conversation is null.
 */
function toEvent(
  entry: Entry | GroupEntry,
  contactId: string | undefined,
  feed: string,
  place: number,
): Event {
  if ('group' in entry) return toGroupEvent(entry, feed, place);
  const { type, conversation, message, reader = '', at, own, ...other } = entry;
  const id = `${message?.id ?? conversation.id}${reader}-${other.version}${own ? 'o' : ''}`;
  const isDeleted = conversation.isDeleted || message?.isDeleted;
  const current = message?.version ?? getVersion(conversation, contactId) ?? other.version;
  const version = isDeleted || reader ? other.version : current;
  const fields = { id, created_at: at, version, feed, place };
  const ids = { id: message?.id ?? '', conversation_id: conversation.id };
  const deletion = { ...ids, deleted: true } as const;
  const conversationDeletion = { id: conversation.id, deleted: true } as const;
  switch (type) {
    case 'message.created':
    case 'message.updated':
      return {
        ...fields,
        type,
        payload: isDeleted || !message ? deletion : toMessage(conversation, message),
      };
    case 'message.deleted':
      return { ...fields, type, payload: deletion };
    case 'conversation.created':
    case 'conversation.updated':
      if (isDeleted) return { ...fields, type, payload: conversationDeletion };
      return {
        ...fields,
        type,
        payload: contactId === undefined ? null : toConversation(conversation, contactId, []),
      };
    case 'conversation.deleted':
      return { ...fields, type, payload: conversationDeletion };
    case 'reader.updated':
      return { ...fields, type, payload: isDeleted ? null : toOpening(conversation, reader) };
    default:
      throw new Error(`The simulation does not support ${type} events.`);
  }
}

const getVersion = (one: SimulatedConversation, contactId: string | undefined) =>
  contactId === undefined ? undefined : one.version + getSettings(one, contactId).version;

const maxInboxes = 101;

/** Returns the user's feed, and the feeds of up to 100 groups with the latest activity. */
function selectFeeds<Feed extends { feed: string }>(state: ServiceState, feeds: readonly Feed[]) {
  const [own, ...groups] = feeds;
  const getLatest = ({ feed }: Feed) => getEntries(state, feed).at(-1)?.at ?? 0;
  const active = groups.toSorted((one, other) => getLatest(other) - getLatest(one));
  return [...(own ? [own] : []), ...active.slice(0, maxInboxes - 1)];
}

export function replyToLive(state: ServiceState, contactId: string): SimulatedReply {
  const now = Date.now();
  const hours = [getHour(now), ...((hour - (now % hour)) / 1000 <= 600 ? [getHour(now) + 1] : [])];
  const sequences = getFeeds(state, contactId).map((feed) => ({
    feed,
    place: getEntries(state, feed).length,
  }));
  const subscribed = selectFeeds(state, sequences);
  return toReply({
    url: 'ws://paper',
    host: 'paper',
    channels: hours.flatMap((one) =>
      subscribed.map(({ feed, place }) => ({
        name: `/inbox/${feed}/${one}`,
        feed,
        group_id: feed.startsWith('g:') ? feed.slice(2) : null,
        place,
      })),
    ),
    expires_at: ((hours.at(-1) ?? 0) + 1) * 3600,
    expires_in: ((hours.at(-1) ?? 0) + 1) * 3600 - seconds(now),
    cursor: JSON.stringify(Object.fromEntries(sequences.map(({ feed, place }) => [feed, place]))),
    is_complete: subscribed.length === sequences.length,
  });
}

export function replyToEvents(
  state: ServiceState,
  contactId: string,
  query: URLSearchParams,
): SimulatedReply {
  const start: Record<string, number> = JSON.parse(query.get('starting_after') ?? '{}');
  const limit = Number(query.get('limit') ?? 10);
  const own = getFeeds(state, contactId);
  // If the cursor lacks the feed of a user-created group, the read starts at the end of the feed.
  const joined = own.filter((feed) => state.userGroups.has(feed.slice(2)));
  const ends = joined.map((feed) => [feed, getEntries(state, feed).length]);
  const cursor: Record<string, number> = { ...Object.fromEntries(ends), ...start };
  const isRetained = (feed: string) => (cursor[feed] ?? -1) >= (state.forgotten.get(feed) ?? 0);
  if (!own.every(isRetained)) return toError(410, 'cursor_expired');
  const sequences = Object.fromEntries(own.map((feed) => [feed, cursor[feed] ?? 0]));
  const data: Event[] = [];
  for (let read = 0; read < limit; read += 1) {
    const first = findEarliest(state, sequences);
    if (!first) break;
    const { feed, entry } = first;
    sequences[feed] = (sequences[feed] ?? 0) + 1;
    const shown = toShownEntry(state, entry, contactId);
    if (shown) data.push(toEvent(shown, contactId, feed, sequences[feed] ?? 0));
  }
  const has_more = own.some((feed) => getEntries(state, feed).length > (sequences[feed] ?? 0));
  const next = new URLSearchParams({ starting_after: JSON.stringify(sequences) });
  return { ...toReply({ data, has_more }), link: `<http://paper?${next}>; rel="next"` };
}

/** Returns an entry with its message's current state, or undefined if the user has no access. */
function toShownEntry(state: ServiceState, entry: Entry | GroupEntry, contactId: string) {
  if ('group' in entry) return entry;
  const { conversation } = entry;
  if (
    !conversation.isDeleted &&
    !isParticipant(conversation, contactId, getGroups(state, contactId))
  )
    return undefined;
  const now = conversation.messages.find(({ id }) => id === entry.message?.id);
  return now ? { ...entry, message: now } : entry;
}

/** Returns the earliest of the feeds' next entries. */
const findEarliest = (state: ServiceState, sequences: Readonly<Record<string, number>>) =>
  Object.entries(sequences)
    .flatMap(([feed, sequence]) => {
      const entry = getEntries(state, feed)[sequence];
      return entry ? [{ feed, entry }] : [];
    })
    .sort((a, b) => a.entry.time - b.entry.time)[0];
