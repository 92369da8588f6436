import type { Event } from '../../../client/src/index.ts';
import type { PushEvent } from '../../../client/src/live/push-event.ts';
import {
  type Entry,
  getLastActivity,
  getSettings,
  isParticipant,
  newConversation,
  newestFirst,
  newMessage,
  type SimulatedConversation,
  type SimulatedMessage,
  seconds,
  toConversation,
  toMessage,
  toUnreadCount,
} from './simulated-conversations.ts';

/** A reply of the API. */
export interface SimulatedReply {
  status: number;
  body: unknown;
  link?: string;
}

export interface SimulatedService {
  /** Returns the reply from the present state. */
  answer(
    who: string,
    method: string,
    address: string,
    body: unknown,
    idempotencyKey?: string,
  ): SimulatedReply;
  getGroups(who: string): Set<string>;
  conversations: SimulatedConversation[];
  send(who: string, to: SimulatedConversation, text: string): SimulatedMessage;
  create(who: string, to: { contact?: string; group?: string }): SimulatedConversation;
  /** Expires all events so far. */
  expireFeeds(): void;
  /** Called after the newest message was read, before the unread messages are counted. */
  beforeCounting?: () => void;
}

export interface SimulatedServiceOptions {
  chance: () => number;
  /** Publishes an event to the listeners of a feed. */
  push(feed: string, event: PushEvent): void;
  /** Maximum length of a text in a push. Default: 20,000. */
  maxPushedText?: number | undefined;
}

const hour = 3_600_000;
export const getHour = (time: number) => Math.floor(time / hour);

/** Returns the service as one process without faults. Feeds lag changes, and pushes lag feeds. */
export function createSimulatedService({
  chance,
  push,
  maxPushedText = 20_000,
}: SimulatedServiceOptions): SimulatedService {
  const conversations: SimulatedConversation[] = [];
  const feeds = new Map<string, Entry[]>();
  const groups = new Map<string, Set<string>>();
  const forgotten = new Map<string, number>();
  /** First replies, by idempotency key. */
  const replies = new Map<string, SimulatedReply>();
  const waiting: { at: number; feed: string; entry: Entry }[] = [];

  const groupsOf = (who: string) => {
    const had = groups.get(who) ?? new Set<string>();
    groups.set(who, had);
    return had;
  };
  const getFeeds = (who: string) => [
    `c:${who}`,
    ...[...groupsOf(who)].sort().map((group) => `g:${group}`),
  ];
  const getEntries = (feed: string) => {
    const had = feeds.get(feed) ?? [];
    feeds.set(feed, had);
    return had;
  };
  const getInboxFeeds = (one: SimulatedConversation) =>
    one.group === null
      ? [...new Set([one.by, one.contact ?? one.by])].map((id) => `c:${id}`)
      : [`g:${one.group}`, ...(one.contact === null ? [] : [`c:${one.contact}`])];

  /** Simulates the worker: changes of one resource keep their order, others may overtake. */
  const publish = (entry: Omit<Entry, 'at' | 'time'>, to: string[]) => {
    const now = Date.now();
    for (const feed of to) {
      const thing = entry.message?.id ?? entry.conversation.id;
      const before = waiting.filter(
        (one) =>
          one.feed === feed && (one.entry.message?.id ?? one.entry.conversation.id) === thing,
      );
      const at = Math.max(now + 5 + chance() * 400, ...before.map((one) => one.at + 1));
      const whole = { ...entry, at: seconds(now), time: now };
      const waits = { at, feed, entry: whole };
      const pushed = toEvent(whole, undefined, feed, 0);
      waiting.push(waits);
      setTimeout(() => {
        waiting.splice(waiting.indexOf(waits), 1);
        const sequence = getEntries(feed).push(whole);
        push(feed, toPushEvent({ ...pushed, place: sequence }, whole));
      }, at - now);
    }
  };

  const toPushEvent = (event: Event, { keepsContent }: Entry): PushEvent => {
    const { payload } = event;
    if (!payload || !('message' in payload) || payload.message.length <= maxPushedText)
      return event;
    if (!keepsContent) return { ...event, payload: null };
    const { message: _text, attachments: _attachments, ...part } = payload;
    return { ...event, type: 'message.updated', payload: part };
  };

  /** Returns an event as a user sees it now. A push has the message as it was, no conversation. */
  const toEvent = (entry: Entry, who: string | undefined, feed: string, place: number): Event => {
    const { type, conversation, message, at, own, ...other } = entry;
    const id = `${message?.id ?? conversation.id}-${other.version}${own ? 'o' : ''}`;
    const isGone = conversation.isDeleted || message?.isDeleted;
    const current = message?.version ?? getVersion(conversation, who) ?? other.version;
    const fields = { id, created_at: at, version: isGone ? other.version : current, feed, place };
    const ids = { id: message?.id ?? '', conversation_id: conversation.id };
    const deletion = { ...ids, deleted: true } as const;
    switch (type) {
      case 'message.created':
      case 'message.updated':
        return {
          ...fields,
          type,
          payload: isGone || !message ? deletion : toMessage(conversation, message),
        };
      case 'message.deleted':
        return { ...fields, type, payload: deletion };
      case 'conversation.created':
      case 'conversation.updated':
        if (isGone) return { ...fields, type, payload: { id: conversation.id, deleted: true } };
        return {
          ...fields,
          type,
          payload: who === undefined ? null : toConversation(conversation, who, []),
        };
      case 'conversation.deleted':
        return { ...fields, type, payload: { id: conversation.id, deleted: true } };
    }
  };

  const getVersion = (one: SimulatedConversation, who: string | undefined) =>
    who === undefined ? undefined : one.version + getSettings(one, who).version;

  const find = (who: string, id: string) =>
    conversations.find(
      (one) => one.id === id && !one.isDeleted && isParticipant(one, who, groupsOf(who)),
    );
  const findMessage = (who: string, id: string) => {
    const conversation = find(who, id.slice(0, 26));
    const message = conversation?.messages.find((one) => one.id === id && !one.isDeleted);
    return conversation && message ? { conversation, message } : undefined;
  };

  const changeSettings = (
    one: SimulatedConversation,
    who: string,
    change: Partial<ReturnType<typeof getSettings>>,
  ) => {
    const settings = getSettings(one, who);
    Object.assign(settings, change, { version: settings.version + 1 });
    const version = one.version + settings.version;
    publish({ type: 'conversation.updated', conversation: one, version, own: true }, [`c:${who}`]);
  };

  const markReadUpTo = (one: SimulatedConversation, who: string, sequence: number) => {
    const { readSequence, opened } = getSettings(one, who);
    const now = Date.now();
    const isNew = sequence > readSequence || (one.last ?? 0) > (opened ?? 0);
    if (!isNew && opened !== null && now - opened < 60_000) return;
    changeSettings(one, who, { readSequence: Math.max(sequence, readSequence), opened: now });
  };

  const create: SimulatedService['create'] = (who, to) => {
    const one = newConversation(who, to, Date.now());
    conversations.push(one);
    publish({ type: 'conversation.created', conversation: one, version: 1 }, getInboxFeeds(one));
    return one;
  };

  const send: SimulatedService['send'] = (who, to, text) => {
    const message = newMessage(to, who, text, Date.now());
    to.messages.push(message);
    to.last = message.at;
    publish({ type: 'message.created', conversation: to, message, version: 1 }, getInboxFeeds(to));
    return message;
  };

  const messageChanged = (
    conversation: SimulatedConversation,
    message: SimulatedMessage,
    type: Event['type'],
    keepsContent = false,
  ) => {
    message.version += 1;
    const { version } = message;
    const entry = { type, conversation, message: { ...message }, version, keepsContent };
    publish(entry, getInboxFeeds(conversation));
  };

  const error = (status: number, code: string): SimulatedReply => ({ status, body: { code } });
  const done = (body: unknown): SimulatedReply => ({ status: 200, body });
  const notFound = error(404, 'not_found');

  const replyToLive = (who: string): SimulatedReply => {
    const now = Date.now();
    const hours = [
      getHour(now),
      ...((hour - (now % hour)) / 1000 <= 600 ? [getHour(now) + 1] : []),
    ];
    const sequences = getFeeds(who).map((feed) => ({ feed, place: getEntries(feed).length }));
    return done({
      url: 'ws://paper',
      host: 'paper',
      channels: hours.flatMap((one) =>
        sequences.map(({ feed, place }) => ({
          name: `/inbox/${feed}/${one}`,
          feed,
          group_id: feed.startsWith('g:') ? feed.slice(2) : null,
          place,
        })),
      ),
      expires_at: ((hours.at(-1) ?? 0) + 1) * 3600,
      expires_in: ((hours.at(-1) ?? 0) + 1) * 3600 - seconds(now),
      cursor: JSON.stringify(Object.fromEntries(sequences.map(({ feed, place }) => [feed, place]))),
    });
  };

  const replyToEvents = (who: string, query: URLSearchParams): SimulatedReply => {
    const cursor: Record<string, number> = JSON.parse(query.get('starting_after') ?? '{}');
    const limit = Number(query.get('limit') ?? 10);
    const own = getFeeds(who);
    const isRetained = (feed: string) => (cursor[feed] ?? -1) >= (forgotten.get(feed) ?? 0);
    if (!own.every(isRetained)) return error(410, 'cursor_expired');
    const sequences = Object.fromEntries(own.map((feed) => [feed, cursor[feed] ?? 0]));
    const data: Event[] = [];
    let read = 0;
    for (; read < limit; read += 1) {
      const heads = own.flatMap((feed) => {
        const entry = getEntries(feed)[sequences[feed] ?? 0];
        return entry ? [{ feed, entry }] : [];
      });
      const first = heads.sort((a, b) => a.entry.time - b.entry.time)[0];
      if (!first) break;
      sequences[first.feed] = (sequences[first.feed] ?? 0) + 1;
      const { conversation } = first.entry;
      const isHidden = !conversation.isDeleted && !isParticipant(conversation, who, groupsOf(who));
      if (isHidden) continue;
      // Payloads show the present state.
      const now = conversation.messages.find(({ id }) => id === first.entry.message?.id);
      const entry = now ? { ...first.entry, message: now } : first.entry;
      data.push(toEvent(entry, who, first.feed, sequences[first.feed] ?? 0));
    }
    const has_more = own.some((feed) => getEntries(feed).length > (sequences[feed] ?? 0));
    const next = new URLSearchParams({ starting_after: JSON.stringify(sequences) });
    return { ...done({ data, has_more }), link: `<http://paper?${next}>; rel="next"` };
  };

  /** Adds the expanded fields, which the API reads one after the other. */
  const expanded = (one: SimulatedConversation, who: string, expand: readonly string[]) => {
    const shown = toConversation(one, who, expand);
    if (expand.includes('unread_count')) service.beforeCounting?.();
    return { ...shown, ...toUnreadCount(one, who, expand) };
  };

  const replyToConversationList = (who: string, query: URLSearchParams): SimulatedReply => {
    const flags = (one: SimulatedConversation) => {
      const { pinned, muted, archived } = getSettings(one, who);
      return { pinned, muted, archived: archived !== null };
    };
    const isById = ['muted', 'archived', 'pinned'].some((flag) => query.get(flag) === 'true');
    const isWanted = (one: SimulatedConversation) => {
      const has = flags(one);
      return (['pinned', 'muted', 'archived'] as const).every(
        (flag) =>
          (query.get(flag) !== 'true' || has[flag]) &&
          !(query.getAll('exclude[]').includes(flag) && has[flag]),
      );
    };
    // Sequence numbers, highest first.
    const getSortKey = (one: SimulatedConversation) => (isById ? 0 : getLastActivity(one));
    const after = query.get('starting_after')?.split('~');
    const from = after?.[0];
    const fromSortKey = after?.[1]
      ? Number(after[1])
      : getSortKey(conversations.find(({ id }) => id === from) ?? newConversation('', {}, 0));
    const all = conversations
      .filter((one) => !one.isDeleted && isParticipant(one, who, groupsOf(who)) && isWanted(one))
      .sort((a, b) => getSortKey(b) - getSortKey(a) || (a.id < b.id ? 1 : -1))
      .filter(
        (one) =>
          from === undefined ||
          getSortKey(one) < fromSortKey ||
          (getSortKey(one) === fromSortKey && one.id < from),
      );
    const limit = Number(query.get('limit') ?? 10);
    const page = all.slice(0, limit);
    const last = page.at(-1);
    const has_more = all.length > limit;
    const expand = query.getAll('expand[]');
    const next = new URLSearchParams({ starting_after: `${last?.id}~${last && getSortKey(last)}` });
    return {
      ...done({ has_more, data: page.map((one) => expanded(one, who, expand)) }),
      ...(has_more && { link: `<http://paper?${next}>; rel="next"` }),
    };
  };

  const replyToMessageList = (who: string, query: URLSearchParams): SimulatedReply => {
    const one = find(who, query.get('conversation_id') ?? '');
    if (!one) return notFound;
    const from = query.get('starting_after');
    const all = newestFirst(one).filter(({ id }) => from === null || id < from);
    const limit = Number(query.get('limit') ?? 10);
    const page = all.slice(0, limit);
    if (query.get('peek') !== 'true') markReadUpTo(one, who, page[0]?.sequence ?? 0);
    return done({
      has_more: all.length > limit,
      data: page.map((message) => toMessage(one, message)),
    });
  };

  interface Body {
    reactions?: { like: string[] };
    message?: string;
    conversation_id?: string;
    last_read_message_id?: string;
    is_pinned?: boolean;
    is_muted?: boolean;
    archived_at?: number | null;
    pinned_message_id?: string | null;
  }

  const replyToMessage = (who: string, method: string, id: string, body: Body): SimulatedReply => {
    const found = findMessage(who, id);
    if (!found) return notFound;
    const { conversation, message } = found;
    if (method === 'DELETE') {
      message.isDeleted = true;
      if (conversation.pin === id) conversation.pin = null;
      messageChanged(conversation, message, 'message.deleted');
      return done({ id, deleted: true });
    }
    message.text = body.message ?? message.text;
    if (body.reactions) message.likedBy = body.reactions.like;
    messageChanged(conversation, message, 'message.updated', body.message === undefined);
    return done(toMessage(conversation, message));
  };

  const replyToConversation = (
    who: string,
    method: string,
    id: string,
    { query, body }: { query: URLSearchParams; body: Body },
  ): SimulatedReply => {
    const one = find(who, id);
    if (!one) return notFound;
    if (method === 'DELETE') {
      one.isDeleted = true;
      one.version += 1;
      const { version } = one;
      publish({ type: 'conversation.deleted', conversation: one, version }, getInboxFeeds(one));
      return done({ id, deleted: true });
    }
    if (method === 'PUT') {
      const { pinned, muted, archived } = getSettings(one, who);
      const { is_pinned = pinned, is_muted = muted, archived_at = archived } = body;
      if (is_pinned !== pinned || is_muted !== muted || archived_at !== archived)
        changeSettings(one, who, { pinned: is_pinned, muted: is_muted, archived: archived_at });
      if (body.last_read_message_id !== undefined) {
        const read = one.messages.find((message) => message.id === body.last_read_message_id);
        markReadUpTo(one, who, read?.sequence ?? 0);
      }
      if (body.pinned_message_id !== undefined) {
        one.pin = body.pinned_message_id;
        one.version += 1;
        const { version } = one;
        publish({ type: 'conversation.updated', conversation: one, version }, getInboxFeeds(one));
      }
    }
    return done(expanded(one, who, query.getAll('expand[]')));
  };

  const service: SimulatedService = {
    conversations,
    getGroups: groupsOf,
    create,
    send,
    expireFeeds: () => {
      for (const [feed, entries] of feeds) forgotten.set(feed, entries.length);
    },
    answer: (who, method, address, given, idempotencyKey = '') => {
      const body: Body = { ...(typeof given === 'object' && given) };
      const [path = '', search] = address.split('?');
      const query = new URLSearchParams(search);
      const [, , resource, id] = path.split('/').map(decodeURIComponent);
      if (resource === 'live') return replyToLive(who);
      if (resource === 'events') return replyToEvents(who, query);
      if (resource === 'messages') {
        if (id !== undefined) return replyToMessage(who, method, id, body);
        if (method === 'GET') return replyToMessageList(who, query);
        const to = find(who, body.conversation_id ?? '');
        const replayed = replies.get(idempotencyKey);
        if (replayed) return replayed;
        if (!to) return notFound;
        const reply = done(toMessage(to, send(who, to, body.message ?? '')));
        if (idempotencyKey) replies.set(idempotencyKey, reply);
        return reply;
      }
      if (resource === 'conversations') {
        if (id !== undefined) return replyToConversation(who, method, id, { query, body });
        return replyToConversationList(who, query);
      }
      return notFound;
    },
  };
  return service;
}
