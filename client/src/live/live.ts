import type { Client } from '../client.ts';
import type { Conversation, Deleted, Event, Message } from '../generated/types.ts';
import { type LiveSession, startLiveSession } from './connection/live-session.ts';
import { readTokenSubject } from './connection/token-subject.ts';
import { applyCall, toHandle } from './conversation-handle.ts';
import type { InboxList, LiveContext } from './live-context.ts';
import type { LiveInbox, LiveList, LiveOptions, OpenConversation } from './live-types.ts';
import { createOutbox, flushOutbox, loadOutbox } from './outbox/outbox.ts';
import { createChangeTracker } from './stores/change-tracker.ts';
import { putConversation } from './stores/conversation-cache.ts';
import { loadList, loadMore } from './stores/conversation-loader.ts';
import {
  applyEvent,
  applyLocalChange,
  applyLocalDelete,
  createInboxList,
} from './stores/inbox-list.ts';
import { wholeList } from './stores/inbox-refetches.ts';
import {
  createOpenConversation,
  endConversation,
  loadConversation,
} from './stores/open-conversation.ts';
import { isDeleted, isDeletedMessage, isMessage } from './stores/resource-guards.ts';
import { applyDelete, applyMessage } from './stores/shown-messages.ts';

/** Keeps the caller's conversations up to date until `close` is called. */
export function live(client: Client, options: LiveOptions = {}): LiveInbox {
  const ending = new AbortController();
  const context = createContext(client, options, ending.signal, () => session.requireReload());
  const main = addList(context, options.conversations);
  const session = startSession(context);
  loadOutbox(context);
  return {
    ...toList(main),
    list: (params) => {
      const list = addList(context, params);
      // Before the first load, the session loads all lists.
      if (context.status !== 'connecting') list.refetches.schedule(wholeList, 0);
      return toList(list);
    },
    open: (id, { peek = false } = {}) => openConversation(main, id, peek),
    apply: (call) => applyCall(context, call),
    reconnect: session.restart,
    close: () => {
      session.end();
      for (const { refetches } of context.lists) refetches.end();
      clearTimeout(context.outbox.timer);
      ending.abort();
      context.status = 'closed';
      invalidateLists(context);
    },
  };
}

function createContext(
  client: Client,
  options: LiveOptions,
  signal: AbortSignal,
  requireReload: () => void,
): LiveContext {
  const context: LiveContext = {
    client,
    options,
    changes: createChangeTracker(),
    optimistic: new Set(),
    readCounts: new Map(),
    outbox: createOutbox(),
    signal,
    lists: new Set(),
    open: new Map(),
    status: 'connecting',
    error: null,
    requireReload,
    applyResult: (result, since) => applyResult(context, result, since),
  };
  return context;
}

function startSession(context: LiveContext): LiveSession {
  const { client, options, outbox, lists, open } = context;
  return startLiveSession({
    client,
    options,
    apply: (event) => receiveEvent(context, event),
    load: async () => {
      await Promise.all([
        ...Array.from(lists, (list) => list.queue(() => loadList(list))),
        ...Array.from(open.values(), (one) => loadConversation(one, true)),
      ]);
    },
    onReachable: () => {
      for (const { refetches } of lists) refetches.flush();
      for (const one of open.values()) if (one.window.error) loadConversation(one, true);
      flushOutbox(context);
    },
    onStatus: (status, error) => {
      if (context.status === 'closed') return;
      context.status = status;
      const isFine = status === 'live' || status === 'polling';
      context.error = isFine ? null : (error ?? context.error);
      invalidateLists(context);
    },
    onToken: (token) => {
      context.userId = readTokenSubject(token);
      outbox.prefix.resolve(`${context.userId ?? ''}/`);
    },
  });
}

function addList(context: LiveContext, params: LiveOptions['conversations']): InboxList {
  const list = createInboxList(context, params);
  context.lists.add(list);
  return list;
}

const toList = (list: InboxList): LiveList => ({
  subscribe: list.store.subscribe,
  getSnapshot: list.store.getSnapshot,
  loadMore: () => list.queue(() => loadMore(list)),
  close: () => {
    list.refetches.end();
    list.store.removeAllListeners();
    list.live.lists.delete(list);
  },
});

function openConversation(list: InboxList, id: string, peek: boolean): OpenConversation {
  const { open } = list.live;
  const shared = open.get(id);
  const one = shared ?? createOpenConversation(list, id, peek);
  if (!shared) {
    open.set(id, one);
    loadConversation(one, peek);
    if (!list.cache.entries.has(id)) list.refetches.schedule(id, 0);
  }
  const handle = { isOpen: true };
  one.handles += 1;
  return {
    ...toHandle(one),
    close: () => {
      if (!handle.isOpen) return;
      handle.isOpen = false;
      one.handles -= 1;
      if (one.handles > 0) return;
      endConversation(one);
      open.delete(id);
      const entry = list.cache.entries.get(id);
      if (entry) putConversation(list.cache, entry);
    },
  };
}

function receiveEvent({ changes, open, lists }: LiveContext, event: Event): void {
  const { payload, version } = event;
  if (!payload) return;
  if (isDeleted(payload)) changes.recordDeletion(payload.id);
  else if (!changes.recordEvent(payload.id, version)) return;
  const one = 'conversation_id' in payload && open.get(payload.conversation_id);
  if (one && isMessage(payload)) applyMessage(one, payload);
  if (one && isDeletedMessage(payload)) applyDelete(one, payload.id);
  for (const list of lists) applyEvent(list, event);
}

function applyResult(
  { changes, open, lists }: LiveContext,
  result: Message | Conversation | Deleted,
  since: number,
): void {
  if (isDeleted(result)) {
    changes.recordDeletion(result.id);
    for (const list of lists) applyLocalDelete(list, result.id);
    for (const one of open.values()) applyDelete(one, result.id);
  } else if (!changes.hasChangedSince(result.id, since)) {
    changes.recordLocalChange(result.id);
    const one = isMessage(result) && open.get(result.conversation_id);
    if (one && isMessage(result)) applyMessage(one, result);
    for (const list of lists) applyLocalChange(list, result);
  }
}

const invalidateLists = ({ lists }: LiveContext) => {
  for (const { store } of lists) store.invalidate();
};
