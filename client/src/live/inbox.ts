import type { Client } from '../client.ts';
import { NotFoundError } from '../generated/errors.ts';
import type { Conversation, Event, Message } from '../generated/types.ts';
import type { Page } from '../list.ts';
import { errands } from './errands.ts';
import { isConversation, isDeleted, isDeletedMessage, isMessage } from './kinds.ts';
import { type Knowledge, shorten } from './knowledge.ts';
import { activeAt, inOrder, isAbove, isTied, matches, type Ordered } from './order.ts';
import type { LiveOptions } from './types.ts';

/** A conversation that is held. */
interface Held extends Ordered {
  /** It is one of the list that is shown; others are held as they are open. */
  readonly isListed: boolean;
  /** When the API has told it whole, in milliseconds. */
  readonly asOf: number;
  /** Of the newest message that `unread_count` counts. */
  readonly counted: string;
  /** When a message of it was heard of. */
  readonly heardAt: number;
}

export interface Inbox {
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  hear(event: Event): void;
  /** Takes what a request has given that began at that moment. */
  take(conversation: Conversation, since: number): void;
  /** Shows what was made or changed from here. */
  show(thing: Message | Conversation): void;
  /** That was deleted from here: a conversation or a message. */
  lose(id: string): void;
  /** The messages up to that one have been listed, as the caller reads them. */
  wasOpened(conversationId: string, newest: string | undefined): void;
  get(conversationId: string): Conversation | undefined;
  /** Holds a conversation, listed or not; what it gives ends that. Asks for it where it is not there. */
  hold(conversationId: string): () => void;
  list(): { conversations: readonly Conversation[]; hasMore: boolean };
  /** What could not be asked for, now. */
  hurry(): void;
  end(): void;
}

export interface InboxOptions {
  client: Pick<Client, 'conversations'>;
  options: LiveOptions;
  know: Knowledge;
  signal: AbortSignal;
  /** Whose inbox it is, where that is known. */
  me(): string | undefined;
  changed(conversationId?: string): void;
  /** The conversation is deleted, or not for the caller to see any more. */
  gone(conversationId: string): void;
}

const mostUnread = 100;
/** Milliseconds in which a message may be counted already or not: such a count is asked for again. */
const unsure = 5000;
/** More than so many are listed rather than retrieved. */
const mostRetrieved = 5;
/** Conversations that are not of the list: so many are known not to be. */
const mostOutside = 1000;
/** The name of an errand, of the list's order. */
const order = 'order';

export function inboxOf(given: InboxOptions): Inbox {
  const { client, options, know, signal, me, changed, gone } = given;
  const {
    limit = 20,
    expand = ['contact', 'last_message', 'unread_count'],
    ...filters
  } = options.conversations ?? {};
  const compare = inOrder(filters);
  const held = new Map<string, Held>();
  const open = new Map<string, number>();
  const outside = new Map<string, true>();
  let most = options.mostConversations ?? 500;
  /** The last one that was loaded: what is below it is not held. */
  let last: Ordered | undefined;
  let next: Page<Conversation>['next'] = null;
  let top = 0;
  let lane: Promise<void> = Promise.resolve();

  const listed = () => [...held.values()].filter(({ isListed }) => isListed).sort(compare);
  const isWithin = (one: Conversation) => last === undefined || isAbove(filters, one, last);
  const soon = () => 50 + Math.random() * 100;
  const later = () => 2000 + Math.random() * 2000;

  const put = (one: Held) => {
    const { id } = one.conversation;
    const isListed = matches(filters, one.conversation) && isWithin(one.conversation);
    if (isListed || open.has(id)) held.set(id, { ...one, isListed });
    else held.delete(id);
    if (matches(filters, one.conversation)) outside.delete(id);
    else {
      outside.set(id, true);
      shorten(outside, mostOutside);
    }
    changed(id);
  };

  const trim = () => {
    const all = listed();
    if (all.length <= most) return;
    last = all[most - 1];
    next = last ? { starting_after: last.conversation.id } : null;
    for (const one of all.slice(most)) put(one);
  };

  const drop = (id: string) => {
    held.delete(id);
    outside.delete(id);
    gone(id);
    changed(id);
  };

  const check = (one: Conversation | undefined) => {
    if (!one) return;
    const others = listed().map(({ conversation }) => conversation);
    if (isTied(filters, one, others)) todo.ask(order, 5000 + Math.random() * 5000);
  };

  /** What a request gives, beside what was heard meanwhile. */
  const merged = (told: Conversation, since: number, rank?: number): Held => {
    const had = held.get(told.id);
    const base =
      had && know.isOlder(told.id, since) ? { ...told, ...bare(had.conversation) } : told;
    const conversation: Conversation = { ...base };
    const before = had?.conversation;
    if (before && activeAt(before) > activeAt(conversation) && had.heardAt > since)
      conversation.last_active_at = before.last_active_at;
    if (told.last_message !== undefined) {
      conversation.last_message = newestOf(told.last_message, before?.last_message, since);
    }
    const counted = told.last_message?.id ?? '';
    // Whether the count has what was heard meanwhile nobody can tell.
    const isUnsure = know.isOlder(told.id, since) || (had?.heardAt ?? 0) > since;
    if (isUnsure && told.unread_count !== undefined) todo.ask(told.id, later());
    return {
      conversation,
      rank: rank ?? had?.rank ?? 0,
      isListed: had?.isListed ?? false,
      asOf: Date.now(),
      counted: had && had.counted > counted ? had.counted : counted,
      heardAt: had?.heardAt ?? 0,
    };
  };

  const newestOf = (told: Message | null, had: Message | null | undefined, since: number) => {
    const isTold = told && !know.isGone(told.id) ? told : null;
    if (!had || know.isGone(had.id) || !know.isOlder(had.id, since)) return isTold;
    return !isTold || had.id >= isTold.id ? had : isTold;
  };

  const ask = (at: Page<Conversation>['next'], size: number) =>
    client.conversations
      .list({ ...filters, expand, limit: Math.min(100, size) }, { signal })
      .page(at ?? undefined);

  const load = async () => {
    const since = know.now();
    const wanted = Math.max(limit, Math.min(most, listed().length));
    const told: Conversation[] = [];
    let at: Page<Conversation>['next'] = null;
    do {
      const page: Page<Conversation> = await ask(at, wanted - told.length);
      told.push(...page.data);
      at = page.has_more ? page.next : null;
    } while (at && told.length < wanted);
    next = at;
    last = undefined;
    const ids = new Set(told.map(({ id }) => id));
    for (const { conversation } of listed()) {
      // What was heard meanwhile the list may not have.
      const { id } = conversation;
      const isHeard = know.isOlder(id, since) || (held.get(id)?.heardAt ?? 0) > since;
      if (ids.has(id) || isHeard) continue;
      if (open.has(id)) todo.ask(id, soon());
      else held.delete(id);
    }
    told.forEach((one, rank) => {
      if (know.isGone(one.id)) return;
      const had = held.get(one.id);
      const isHeard = had && had.heardAt > since;
      put(merged(one, since, isHeard ? had.rank : rank));
    });
    const lowest = told.at(-1);
    last = at && lowest ? held.get(lowest.id) : undefined;
    for (const one of listed()) put(one);
    changed();
  };

  const loadMore = async () => {
    if (last === undefined) return;
    const since = know.now();
    most = Math.max(most, listed().length + limit);
    const page = await ask(next, limit);
    const lowestRank = Math.max(0, ...listed().map(({ rank }) => rank));
    next = page.has_more ? page.next : null;
    last = undefined;
    page.data.forEach((one, n) => {
      if (!know.isGone(one.id))
        put(merged(one, since, held.get(one.id)?.rank ?? lowestRank + 1 + n));
    });
    const lowest = page.data.at(-1);
    last = next && lowest ? held.get(lowest.id) : undefined;
    changed();
  };

  /** One after the other. */
  const inTurn = (work: () => Promise<void>) => {
    const turn = lane.then(work, work);
    lane = turn.catch(() => {});
    return turn;
  };

  const retrieve = async (id: string) => {
    const since = know.now();
    try {
      const told = await client.conversations.retrieve({ conversation_id: id, expand }, { signal });
      if (!know.isGone(id)) take(told, since);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      drop(id);
    }
  };

  const take = (told: Conversation, since: number) => {
    if (!held.has(told.id)) top -= 1;
    put(merged(told, since, held.get(told.id)?.rank ?? top));
    trim();
    check(told);
  };

  const todo = errands(async (ids) => {
    const listsAll = ids.includes(order) || ids.length > mostRetrieved;
    const alone = listsAll ? ids.filter((id) => open.has(id) && !held.get(id)?.isListed) : ids;
    if (listsAll) await inTurn(load);
    await Promise.all(alone.filter((id) => id !== order).map(retrieve));
  });

  /** A message has come into a conversation. */
  const activity = (message: Message) => {
    const { conversation_id: id, created_at } = message;
    const had = held.get(id);
    if (!had) {
      if (!outside.has(id)) todo.ask(id, soon());
      return;
    }
    const { conversation } = had;
    const isNewest = isNewestIn(had, message);
    const isActive = isNewest && created_at >= activeAt(conversation);
    if (isActive) top -= 1;
    const isMine = message.contact.id === me();
    const counts = conversation.unread_count !== undefined && !isMine;
    const isCounted = message.id <= had.counted;
    // Opened since, it may have been read; told a moment ago, it may have been counted.
    const isOpened = (conversation.last_opened_at ?? 0) >= created_at;
    const isFresh = Date.now() - had.asOf < unsure;
    if (counts && (isCounted || isOpened || isFresh || me() === undefined)) todo.ask(id, later());
    put({
      ...had,
      conversation: {
        ...conversation,
        last_active_at: Math.max(conversation.last_active_at ?? 0, created_at),
        ...(conversation.last_message !== undefined && isNewest && { last_message: message }),
        ...(counts &&
          !isCounted && {
            unread_count: Math.min(mostUnread, (conversation.unread_count ?? 0) + 1),
          }),
      },
      rank: isActive ? top : had.rank,
      counted: isCounted ? had.counted : message.id,
      heardAt: know.now(),
    });
    trim();
    if (isActive) check(held.get(id)?.conversation);
  };

  const messageLost = (conversationId: string, messageId: string) => {
    const had = held.get(conversationId);
    if (!had) return;
    const { conversation } = had;
    const isLast = conversation.last_message?.id === messageId;
    const isPinned = conversation.pinned_message_id === messageId;
    if (isLast || conversation.unread_count) todo.ask(conversationId, later());
    put({
      ...had,
      conversation: {
        ...conversation,
        ...(isLast && { last_message: null }),
        ...(isPinned && { pinned_message_id: null }),
      },
      heardAt: know.now(),
    });
  };

  const conversationTold = (told: Conversation) => {
    const had = held.get(told.id);
    if (!had) {
      if (matches(filters, told) && isWithin(told)) todo.ask(told.id, soon());
      else put({ conversation: told, rank: 0, isListed: false, asOf: 0, counted: '', heardAt: 0 });
      return;
    }
    const { conversation } = had;
    const { last_active_at } = conversation;
    // It may have been opened on another device.
    if (conversation.unread_count && told.last_opened_at) todo.ask(told.id, later());
    put({
      ...had,
      conversation: {
        ...conversation,
        ...told,
        last_active_at:
          last_active_at === null
            ? told.last_active_at
            : Math.max(last_active_at, told.last_active_at ?? 0),
      },
    });
  };

  const messageChanged = (message: Message) => {
    const had = held.get(message.conversation_id);
    if (had?.conversation.last_message?.id !== message.id) return;
    put({ ...had, conversation: { ...had.conversation, last_message: message } });
  };

  return {
    load: () => inTurn(load),
    loadMore: () => inTurn(loadMore),
    take,
    show: (thing) => {
      if (!isMessage(thing)) conversationTold(thing);
      else if (thing.contact.id === me() && isNewestIn(held.get(thing.conversation_id), thing))
        activity(thing);
      else messageChanged(thing);
    },
    lose: (id) => {
      if (held.has(id)) drop(id);
      for (const { conversation } of [...held.values()]) {
        if ([conversation.last_message?.id, conversation.pinned_message_id].includes(id))
          messageLost(conversation.id, id);
      }
    },
    hear: ({ type, payload }) => {
      if (!payload) return;
      if (isDeletedMessage(payload)) {
        messageLost(payload.conversation_id, payload.id);
        // The conversation was active when it came.
        if (type === 'message.created') todo.ask(payload.conversation_id, later());
      } else if (isDeleted(payload)) drop(payload.id);
      else if (isConversation(payload)) conversationTold(payload);
      else if (isMessage(payload) && type === 'message.created') activity(payload);
      else if (isMessage(payload)) messageChanged(payload);
    },
    wasOpened: (id, newest = '') => {
      const had = held.get(id);
      if (!had || had.conversation.unread_count === undefined) return;
      if (had.counted > newest) todo.ask(id, later());
      else {
        const conversation = { ...had.conversation, unread_count: 0 };
        know.touch(id);
        put({ ...had, conversation, asOf: Date.now(), heardAt: know.now() });
      }
    },
    get: (id) => held.get(id)?.conversation,
    hold: (id) => {
      open.set(id, (open.get(id) ?? 0) + 1);
      if (!held.has(id)) todo.ask(id, 0);
      return () => {
        const count = (open.get(id) ?? 1) - 1;
        if (count > 0) open.set(id, count);
        else open.delete(id);
        const had = held.get(id);
        if (had) put(had);
      };
    },
    list: () => ({
      conversations: listed().map(({ conversation }) => conversation),
      hasMore: last !== undefined,
    }),
    hurry: () => todo.hurry(),
    end: () => todo.end(),
  };
}

/** A conversation without what it brings along. */
function bare({
  contact: _,
  last_message: _last,
  unread_count: _count,
  ...conversation
}: Conversation) {
  return conversation;
}

const isNewestIn = (held: Held | undefined, { id }: Message) =>
  id > (held?.conversation.last_message?.id ?? '');
