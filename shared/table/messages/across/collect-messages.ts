import type { Caller } from '../../../caller.ts';
import { maxReplyBytes } from '../../../contract/list.ts';
import { ApiError } from '../../../errors.ts';
import type { MessagePosition } from '../../../ids.ts';
import { getItems, type Item } from '../../calls/access.ts';
import { filterVisibleIds } from '../../conversations/query/filter-visible-ids.ts';
import type { Key } from '../../keys/keys.ts';
import { contentBytes, type MessageItem } from '../log/message-item.ts';
import { type Direction, getOrder, toPosition } from './message-order.ts';
import { probeAttributes } from './probe-result.ts';

/** A walk over the messages of all the caller's conversations. */
export interface Walk {
  caller: Caller;
  direction: Direction;
  /** Where it starts, itself not given; without it, at the newest message. */
  start: MessagePosition | undefined;
  /** How many messages are wanted. */
  count: number;
}

/** Something that may give messages, a part at a time. */
export type MessageSource = ReadableSource | UnlocatedSource;

interface BoundedSource {
  /** On the walk, none of its messages comes before it. */
  bound: MessagePosition;
}

export interface ReadableSource extends BoundedSource {
  /** A conversation that is read for the first time: it has to be checked before anything of it is given. */
  unchecked?: string;
  /**
   * Reads about `count` messages. `visible` will be those of the round's unchecked conversations that the caller takes
   * part in.
   */
  read(count: number, visible: Promise<Set<string>>): Promise<ReadResult>;
  /** What tells, for less than reading does, whether there is something at the bound. */
  look?: Probe;
}

/** It has to be looked at before it can be read. */
interface UnlocatedSource extends BoundedSource {
  look: Probe;
}

/** A look at one place of a log, of which only `placeAttributes` are read. */
export interface Probe {
  key: Key;
  /** What the source is by what was found. */
  resolve(item: Item | undefined): MessageSource[];
}

/** What a source gave, and what is left of it. */
export interface ReadResult {
  messages: MessageItem[];
  sources: MessageSource[];
}

/** More reads at once would only wait for each other's connections, and a cold function time out on them. */
const maxConcurrentReads = 16;
/** Messages below 1 KB share the read units they cost: fewer would hardly be cheaper. */
const minShare = 5;
/** So many conversations that turn out to have nothing for the page are bad luck: from then on they are looked at first. */
const maxWastedReads = 5;
/** Of a hundred conversations that have a message each for the page, ten times as many. */
const maxReads = 1000;
/** Two seconds of the ten that a function has, where it has a part of a processor. */
const maxProbes = 20_000;

/**
 * The first messages of the walk, in its order: `count`, or as many as one reply can hold and one more. Each source stands
 * at its bound in the list of the messages found so far. As long as one stands among those that are wanted, it may change
 * them and is read. The first conversation is opened before others: if it is a busy one, it may have all that is wanted.
 * Throws `too_many_conversations` where more of them would have to be read or looked at than a request has time for.
 */
export async function collectMessages(
  walk: Walk,
  sources: MessageSource[],
): Promise<MessageItem[]> {
  const { caller, count } = walk;
  const order = getOrder(walk.direction);
  let messages: MessageItem[] = [];
  let remaining = sources;
  let width = 1;
  let wastedReads = 0;
  let probeWidth = count;
  let reads = 0;
  let probes = 0;
  for (;;) {
    const positions = [...messages.map(toPosition), ...remaining.map(({ bound }) => bound)].sort(
      order,
    );
    const reach = positions[Math.min(width, getWantedCount(messages, count)) - 1];
    const isDue = ({ bound }: MessageSource) => !reach || order(bound, reach) <= 0;
    const due = remaining.filter(isDue);
    if (due.length === 0) return messages;

    const needsProbe = (one: MessageSource) =>
      'look' in one && (!('read' in one) || wastedReads > maxWastedReads);
    if (due.some(needsProbe)) {
      // Of those beyond the page too: as long as there is nothing in sight, what comes next is likely to be due soon.
      const farther = positions[probeWidth - 1];
      const toProbe = remaining
        .filter(needsProbe)
        .filter(({ bound }) => !farther || order(bound, farther) <= 0);
      if (wastedReads > maxWastedReads) probeWidth *= 4;
      probes += toProbe.length;
      if (probes > maxProbes) throw new ApiError('too_many_conversations');
      remaining = [...without(remaining, toProbe), ...(await runProbes(toProbe))];
      continue;
    }

    const read = due
      .filter((one) => 'read' in one)
      .sort((a, b) => order(a.bound, b.bound))
      .slice(0, maxConcurrentReads);
    const ids = read.flatMap(({ unchecked }) => unchecked ?? []);
    reads += read.length;
    if (reads > maxReads) throw new ApiError('too_many_conversations');
    const visible = filterVisibleIds(ids, caller);
    const share = Math.min(count, Math.max(minShare, Math.ceil(count / read.length)));
    const results = await Promise.all(read.map((source) => source.read(share, visible)));
    const merged = [...messages, ...results.flatMap((one) => one.messages)].sort((a, b) =>
      order(toPosition(a), toPosition(b)),
    );
    messages = merged.slice(0, getWantedCount(merged, count));
    remaining = [...without(remaining, read), ...results.flatMap((one) => one.sources)];
    const includedConversations = new Set(messages.map(({ conversation_id }) => conversation_id));
    wastedReads += ids.filter((id) => !includedConversations.has(id)).length;
    if (ids.length > 0) width = count;
  }
}

/** How many of the messages are wanted: `count`, or as many as one reply can hold and one more. */
function getWantedCount(messages: MessageItem[], count: number): number {
  let bytes = 0;
  const over = messages.findIndex((message) => {
    bytes += contentBytes(message);
    return bytes > maxReplyBytes;
  });
  return over === -1 ? count : Math.min(count, over + 1);
}

const without = (sources: MessageSource[], some: MessageSource[]): MessageSource[] => {
  const removed = new Set(some);
  return sources.filter((source) => !removed.has(source));
};

/**
 * Looks at all of them, a hundred with each call. Where a log has to be searched a replica's word is enough: times of
 * messages do not change, and of what it does not know yet nothing is concluded.
 */
async function runProbes(sources: MessageSource[]): Promise<MessageSource[]> {
  const probes = sources.flatMap((one) =>
    'look' in one && one.look ? [{ ...one.look, consistent: 'read' in one }] : [],
  );
  const resolved = await Promise.all(
    [true, false].map(async (consistent) => {
      const some = probes.filter((probe) => probe.consistent === consistent);
      const keys = some.map(({ key }) => key);
      const items = await getItems(keys, { consistent, attributes: probeAttributes });
      const byConversation = new Map(items.map((item) => [item.pk, item]));
      return some.flatMap(({ key, resolve }) => resolve(byConversation.get(key.pk)));
    }),
  );
  return resolved.flat();
}
