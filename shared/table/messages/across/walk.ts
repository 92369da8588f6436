import type { Caller } from '../../../caller.ts';
import { mostReplyBytes } from '../../../contract/list.ts';
import { ApiError } from '../../../errors.ts';
import type { MessagePosition } from '../../../ids.ts';
import { getItems, type Item } from '../../calls/access.ts';
import { checkConversations } from '../../conversations/check.ts';
import type { Key } from '../../keys/keys.ts';
import { contentBytes, type MessageItem } from '../items.ts';
import { type Direction, orderOf, positionOf } from './order.ts';
import { placeAttributes } from './place.ts';

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
export type MessageSource = Readable | Unplaced;

interface Standing {
  /** On the walk, none of its messages comes before it. */
  bound: MessagePosition;
}

export interface Readable extends Standing {
  /** A conversation that is read for the first time: it has to be checked before anything of it is given. */
  unchecked?: string;
  /**
   * Reads about `count` messages. `visible` will be those of the round's unchecked conversations that the caller takes
   * part in.
   */
  read(count: number, visible: Promise<Set<string>>): Promise<Given>;
  /** What tells, for less than reading does, whether there is something at the bound. */
  look?: Look;
}

/** It has to be looked at before it can be read. */
interface Unplaced extends Standing {
  look: Look;
}

/** A look at one place of a log, of which only `placeAttributes` are read. */
export interface Look {
  key: Key;
  /** What the source is by what was found. */
  resolve(item: Item | undefined): MessageSource[];
}

/** What a source gave, and what is left of it. */
export interface Given {
  messages: MessageItem[];
  sources: MessageSource[];
}

/** More reads at once would only wait for each other's connections, and a cold function time out on them. */
const mostAtOnce = 16;
/** Messages below 1 KB share the read units they cost: fewer would hardly be cheaper. */
const leastShare = 5;
/** So many conversations that turn out to have nothing for the page are bad luck: from then on they are looked at first. */
const mostInVain = 5;
/** Of a hundred conversations that have a message each for the page, ten times as many. */
const mostRead = 1000;
/** Two seconds of the ten that a function has, where it has a part of a processor. */
const mostLooks = 20_000;

/**
 * The first messages of the walk, in its order: `count`, or as many as one reply can hold and one more. Each source stands
 * at its bound in the list of the messages found so far. As long as one stands among those that are wanted, it may change
 * them and is read. The first conversation is opened before others: if it is a busy one, it may have all that is wanted.
 * Throws `too_many_conversations` where more of them would have to be read or looked at than a request has time for.
 */
export async function firstMessages(walk: Walk, sources: MessageSource[]): Promise<MessageItem[]> {
  const { caller, count } = walk;
  const order = orderOf(walk.direction);
  let messages: MessageItem[] = [];
  let left = sources;
  let width = 1;
  let inVain = 0;
  let lookWidth = count;
  let readings = 0;
  let looks = 0;
  for (;;) {
    const places = [...messages.map(positionOf), ...left.map(({ bound }) => bound)].sort(order);
    const reach = places[Math.min(width, mostGiven(messages, count)) - 1];
    const isDue = ({ bound }: MessageSource) => !reach || order(bound, reach) <= 0;
    const due = left.filter(isDue);
    if (due.length === 0) return messages;

    const wantsLook = (one: MessageSource) =>
      'look' in one && (!('read' in one) || inVain > mostInVain);
    if (due.some(wantsLook)) {
      // Of those beyond the page too: as long as there is nothing in sight, what comes next is likely to be due soon.
      const farther = places[lookWidth - 1];
      const looking = left
        .filter(wantsLook)
        .filter(({ bound }) => !farther || order(bound, farther) <= 0);
      if (inVain > mostInVain) lookWidth *= 4;
      looks += looking.length;
      if (looks > mostLooks) throw new ApiError('too_many_conversations');
      left = [...without(left, looking), ...(await lookAt(looking))];
      continue;
    }

    const read = due
      .filter((one) => 'read' in one)
      .sort((a, b) => order(a.bound, b.bound))
      .slice(0, mostAtOnce);
    const ids = read.flatMap(({ unchecked }) => unchecked ?? []);
    readings += read.length;
    if (readings > mostRead) throw new ApiError('too_many_conversations');
    const visible = checkConversations(ids, caller);
    const share = Math.min(count, Math.max(leastShare, Math.ceil(count / read.length)));
    const given = await Promise.all(read.map((source) => source.read(share, visible)));
    const found = [...messages, ...given.flatMap((one) => one.messages)].sort((a, b) =>
      order(positionOf(a), positionOf(b)),
    );
    messages = found.slice(0, mostGiven(found, count));
    left = [...without(left, read), ...given.flatMap((one) => one.sources)];
    const kept = new Set(messages.map(({ conversation_id }) => conversation_id));
    inVain += ids.filter((id) => !kept.has(id)).length;
    if (ids.length > 0) width = count;
  }
}

/** How many of the messages are wanted: `count`, or as many as one reply can hold and one more. */
function mostGiven(messages: MessageItem[], count: number): number {
  let bytes = 0;
  const over = messages.findIndex((message) => {
    bytes += contentBytes(message);
    return bytes > mostReplyBytes;
  });
  return over === -1 ? count : Math.min(count, over + 1);
}

const without = (sources: MessageSource[], some: MessageSource[]): MessageSource[] => {
  const gone = new Set(some);
  return sources.filter((source) => !gone.has(source));
};

/**
 * Looks at all of them, a hundred with each call. Where a log has to be searched a replica's word is enough: times of
 * messages do not change, and of what it does not know yet nothing is concluded.
 */
async function lookAt(sources: MessageSource[]): Promise<MessageSource[]> {
  const looks = sources.flatMap((one) =>
    'look' in one && one.look ? [{ ...one.look, consistent: 'read' in one }] : [],
  );
  const resolved = await Promise.all(
    [true, false].map(async (consistent) => {
      const some = looks.filter((look) => look.consistent === consistent);
      const keys = some.map(({ key }) => key);
      const items = await getItems(keys, { consistent, attributes: placeAttributes });
      const byConversation = new Map(items.map((item) => [item.pk, item]));
      return some.flatMap(({ key, resolve }) => resolve(byConversation.get(key.pk)));
    }),
  );
  return resolved.flat();
}
