import type { MessagePosition } from '../../../ids.ts';
import type { Item } from '../../calls/access.ts';
import { type InboxEntry, latestPosition } from '../../conversations/inbox.ts';
import { messageKey } from '../../keys/keys.ts';
import { aimAt, type Edge } from './find-place.ts';
import { unopened, unsearched } from './log-source.ts';
import { newestFirst } from './order.ts';
import { factsOf } from './place.ts';
import type { MessageSource, Walk } from './walk.ts';

/**
 * A conversation's messages as sources of the walk: one, or none if it has nothing there. What the inbox tells is enough
 * where it has not been active since the walk's start, or began after it, or has one message; of others the start's place
 * is searched, one look at a time.
 */
export function locate(walk: Walk, entry: InboxEntry): MessageSource[] {
  const { start, direction } = walk;
  const latest = latestPosition(entry);
  if (!start || newestFirst(latest, start) > 0) {
    return [standing(walk, entry, { bound: latest, at: entry.message_count, from: undefined })];
  }
  if (entry.created_at > start.sentAt) {
    const { created_at, last_message_at = created_at, message_count } = entry;
    const first = { place: 1, time: message_count === 1 ? last_message_at : created_at };
    const bound = positionAt(entry.id, first);
    return direction === 'older' ? [] : [standing(walk, entry, { bound, at: 1, from: undefined })];
  }
  return search({ walk, entry, start }, edgesOf(entry, start), firstAim(entry, start));
}

/** Between them is the start: all up to `low` is at it or older, all from `high` on is newer, or holds no message. */
interface Edges {
  low: Edge;
  high: Edge;
  /** Looks in which halving finds it, and some: the fewer are left, the nearer to the middle they are. */
  looks: number;
}

/** More looks than halving takes pay where messages come evenly, and cost where they do not. */
const spareLooks = 2;

function edgesOf(entry: InboxEntry, start: MessagePosition): Edges {
  const { id, created_at, last_message_at = created_at, message_count } = entry;
  const last: Edge = { place: message_count, time: last_message_at };
  const isOlder = newestFirst(positionAt(id, last), start) >= 0;
  return {
    low: isOlder ? last : { place: 0, time: created_at },
    high: isOlder ? { place: message_count + 1, time: last_message_at } : last,
    looks: Math.ceil(Math.log2(message_count)) + spareLooks,
  };
}

const positionAt = (conversationId: string, { place, time }: Edge): MessagePosition => ({
  conversationId,
  sequence: place,
  sentAt: time,
});

/** In its own conversation the start's id tells the place; a look at the next one tells whether that is true. */
const firstAim = ({ id }: InboxEntry, start: MessagePosition) =>
  start.conversationId === id ? start.sequence + 1 : undefined;

interface Search {
  walk: Walk;
  entry: InboxEntry;
  start: MessagePosition;
}

function search(what: Search, edges: Edges, aim?: number): MessageSource[] {
  const { walk, entry, start } = what;
  const { low, high, looks } = edges;
  if (high.place - low.place <= 1) return found(what, edges);
  const guess = aim ?? 1 + Math.floor(aimAt(start.sentAt, low, high, 2 ** (looks - 1)));
  const place = Math.min(guess, high.place - 1);
  return [
    {
      bound: start,
      look: {
        key: messageKey(entry.id, place),
        resolve: (item) => {
          const narrowed = narrow(what, { ...edges, looks: looks - 1 }, item);
          // A place that was never filled, or whose message came a moment ago: reading tells.
          return narrowed ? search(what, narrowed) : [unsearched(walk, entry, start)];
        },
      },
    },
  ];
}

/** The edges as they are after a look at a place between them; undefined when it tells nothing. */
function narrow({ entry, start }: Search, edges: Edges, item?: Item): Edges | undefined {
  const facts = factsOf(entry.id, item);
  if (!facts) return undefined;
  const { message, below, exact } = facts;
  const edge = ({ sequence, sentAt }: MessagePosition): Edge => ({ place: sequence, time: sentAt });
  const isBelow = newestFirst(below, start);
  if (isBelow < 0) return exact ? { ...edges, high: edge(below) } : undefined;
  const here = message ?? { ...below, sequence: below.sequence + 1 };
  // A place without a message tells nothing of those above it, but right above the start: these may be older than the start.
  const isNewer = message ? newestFirst(message, start) < 0 : isBelow === 0;
  return isNewer ? { ...edges, low: edge(below), high: edge(here) } : { ...edges, low: edge(here) };
}

/** The start is between two places: on the walk, nothing of the conversation comes before the one that comes next. */
function found(what: Search, { low, high }: Edges): MessageSource[] {
  const { walk, entry } = what;
  if (walk.direction === 'newer') {
    if (high.place > entry.message_count) return [];
    const bound = positionAt(entry.id, high);
    return [standing(walk, entry, { bound, at: high.place, from: low.place })];
  }
  if (low.place === 0) return [];
  const bound = positionAt(entry.id, low);
  const from = isAt(what, low) ? low.place : high.place;
  return [standing(walk, entry, { bound, at: low.place, from })];
}

const isAt = ({ entry, start }: Search, edge: Edge): boolean =>
  newestFirst(positionAt(entry.id, edge), start) === 0;

interface Standing {
  bound: MessagePosition;
  /** The first place from the bound on. */
  at: number;
  /** From where to read; undefined from the log's end. */
  from: number | undefined;
}

/** What more looks would pass by is read at once. */
const mostLooks = 8;

/** A source at a place that may not have a message any more: where many have none, looking at it is cheaper than reading on. */
function standing(
  walk: Walk,
  entry: InboxEntry,
  { bound, at, from }: Standing,
  looks = mostLooks,
): MessageSource {
  const source = unopened(walk, entry.id, bound, from);
  if (looks === 0) return source;
  const resolve = (item: Item | undefined): MessageSource[] => {
    const place = factsOf(entry.id, item);
    // Nobody has read above it, so nobody has waited for what may be under way there.
    const isOpen = from === undefined && walk.direction === 'older';
    if (place?.message) return [unopened(walk, entry.id, place.message, from)];
    if (!place && !isOpen) return [source];
    const empty = place?.empty;
    const next = walk.direction === 'older' ? (empty?.from ?? at) - 1 : (empty?.to ?? at) + 1;
    if (next < 1 || next > entry.message_count) return [];
    const sentAt =
      walk.direction === 'older' ? (place?.below.sentAt ?? bound.sentAt) : bound.sentAt;
    const further = { bound: { ...bound, sequence: next, sentAt }, at: next, from };
    return [standing(walk, entry, further, looks - 1)];
  };
  return { ...source, look: { key: messageKey(entry.id, at), resolve } };
}
