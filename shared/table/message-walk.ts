import type { Caller } from '../caller.ts';
import type { MessagePosition } from '../ids.ts';
import { checkConversations } from './check-conversations.ts';
import type { MessageItem } from './message-items.ts';
import { type Direction, orderOf, positionOf } from './message-order.ts';

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
export interface MessageSource {
  /** On the walk, none of its messages comes before it. */
  bound: MessagePosition;
  /** A conversation that is read for the first time: it has to be checked before anything of it is given. */
  unchecked?: string;
  /**
   * Reads about `count` messages. `visible` will be those of the round's unchecked conversations that the caller takes
   * part in.
   */
  read(count: number, visible: Promise<Set<string>>): Promise<Given>;
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

/**
 * The first messages of the walk, in its order. Each source stands at its bound in the list of the messages found so far.
 * As long as one stands among those that are wanted, it may change them and is read. The first conversation is opened
 * before others: if it is a busy one, it may have all that is wanted.
 */
export async function firstMessages(walk: Walk, sources: MessageSource[]): Promise<MessageItem[]> {
  const { caller, count } = walk;
  const order = orderOf(walk.direction);
  let messages: MessageItem[] = [];
  let left = sources;
  let width = 1;
  for (;;) {
    const places = [...messages.map(positionOf), ...left.map(({ bound }) => bound)].sort(order);
    const reach = places[width - 1];
    const due = left
      .filter(({ bound }) => !reach || order(bound, reach) <= 0)
      .sort((a, b) => order(a.bound, b.bound))
      .slice(0, mostAtOnce);
    if (due.length === 0) return messages;

    const ids = due.flatMap(({ unchecked }) => unchecked ?? []);
    const visible = checkConversations(ids, caller);
    const share = Math.min(count, Math.max(leastShare, Math.ceil(count / due.length)));
    const given = await Promise.all(due.map((source) => source.read(share, visible)));
    messages = [...messages, ...given.flatMap((one) => one.messages)]
      .sort((a, b) => order(positionOf(a), positionOf(b)))
      .slice(0, count);
    left = [
      ...left.filter((source) => !due.includes(source)),
      ...given.flatMap((one) => one.sources),
    ];
    if (ids.length > 0) width = count;
  }
}
