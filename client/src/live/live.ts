import type { Client } from '../client.ts';
import type {
  Conversation,
  Deleted,
  Event,
  ListConversationsParams,
  Message,
} from '../generated/types.ts';
import { type LiveSession, startLiveSession } from './connection/live-session.ts';
import { readTokenSubject } from './connection/token-subject.ts';
import type {
  InboxSnapshot,
  LiveInbox,
  LiveList,
  LiveOptions,
  LiveStatus,
  OpenConversation,
  OpenOptions,
} from './live-types.ts';
import { createOutbox, flushOutbox, type Outbox } from './outbox/outbox.ts';
import { type ChangeTracker, createChangeTracker } from './stores/change-tracker.ts';
import { createInboxStore, type InboxStore } from './stores/inbox-store.ts';
import {
  applyDelete,
  applyMessage,
  applyRemoval,
  createOpenConversationStore,
  endConversation,
  loadConversation,
  type OpenConversationStore,
  toHandle,
} from './stores/open-conversation-store.ts';
import { type OptimisticChanges, withChanges } from './stores/optimistic-changes.ts';
import { isDeleted, isDeletedMessage, isMessage } from './stores/resource-guards.ts';
import { createSnapshotStore, type SnapshotStore } from './stores/snapshot-store.ts';

/** A list of conversations, and what an app shows of it. */
interface ShownList {
  readonly inbox: InboxStore;
  readonly store: SnapshotStore<InboxSnapshot>;
}

interface LiveContext {
  readonly client: Client;
  readonly options: LiveOptions;
  readonly changes: ChangeTracker;
  readonly optimistic: OptimisticChanges;
  readonly readCounts: Map<string, number>;
  readonly outbox: Outbox;
  readonly ending: AbortController;
  readonly lists: Set<ShownList>;
  readonly open: Map<string, OpenConversationStore>;
  /** Number of handles per open conversation. */
  readonly openCounts: Map<string, number>;
  session?: LiveSession;
  status: LiveStatus;
  error: Error | null;
  userId?: string | undefined;
}

/** Keeps the caller's conversations up to date until `close` is called. */
export function live(client: Client, options: LiveOptions = {}): LiveInbox {
  const context = createContext(client, options);
  const main = addList(context, options.conversations);
  context.session = startSession(context);
  return {
    ...toList(main),
    list: (params) => {
      const added = addList(context, params);
      if (context.status !== 'connecting') added.inbox.load().catch(() => {});
      return {
        ...toList(added),
        close: () => {
          added.inbox.end();
          added.store.removeAllListeners();
          context.lists.delete(added);
        },
      };
    },
    open: (id, openOptions) => openConversation(context, main.inbox, id, openOptions),
    apply: async (call) => {
      const since = context.changes.getTick();
      const result = await call;
      applyResult(context, result, since);
      return result;
    },
    reconnect: () => context.session?.restart(),
    close: () => close(context),
  };
}

function createContext(client: Client, options: LiveOptions): LiveContext {
  const changes = createChangeTracker();
  const ending = new AbortController();
  const outbox = createOutbox({
    client,
    storage: options.storage,
    signal: ending.signal,
    getTick: changes.getTick,
    onChange: (id) => context.open.get(id)?.store.invalidate(),
    onSent: (message, since) => applyResult(context, message, since),
  });
  const context: LiveContext = {
    client,
    options,
    changes,
    optimistic: new Set(),
    readCounts: new Map(),
    outbox,
    ending,
    lists: new Set(),
    open: new Map(),
    openCounts: new Map(),
    status: 'connecting',
    error: null,
  };
  return context;
}

function startSession(context: LiveContext): LiveSession {
  const { client, options, outbox } = context;
  return startLiveSession({
    client,
    options,
    apply: (event) => applyEvent(context, event),
    load: () => loadAll(context),
    onReachable: () => {
      for (const { inbox } of context.lists) inbox.flushRefetches();
      for (const one of context.open.values()) if (one.window.error) loadConversation(one, true);
      flushOutbox(outbox);
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

async function loadAll({ lists, open }: LiveContext): Promise<void> {
  await Promise.all([
    ...Array.from(lists, ({ inbox }) => inbox.load()),
    ...Array.from(open.values(), (one) => loadConversation(one, true)),
  ]);
}

function addList(context: LiveContext, params: ListConversationsParams | undefined): ShownList {
  const { client, options, changes, ending } = context;
  const inbox = createInboxStore({
    client,
    params,
    maxConversations: options.maxConversations,
    changes,
    signal: ending.signal,
    getUserId: () => context.userId,
    onChange: (id) => {
      list.store.invalidate();
      if (id !== undefined) context.open.get(id)?.store.invalidate();
    },
    onRemoved: (id) => {
      const one = context.open.get(id);
      if (one) applyRemoval(one);
    },
    onUnexplainedRemoval: () => context.session?.requireReload(),
  });
  const store = createSnapshotStore((): InboxSnapshot => {
    const { conversations, hasMore } = inbox.list();
    const { status, error } = context;
    const shown = conversations.map((one) => toShown(context, one));
    return { status, error, conversations: shown, hasMore };
  });
  const list = { inbox, store };
  context.lists.add(list);
  return list;
}

const toList = ({ inbox, store }: ShownList): Omit<LiveList, 'close'> => ({
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,
  loadMore: inbox.loadMore,
});

/** Returns the conversation with the changes in progress; the same object if there are none. */
function toShown(context: LiveContext, conversation: Conversation): Conversation {
  const { id, unread_count, last_message } = conversation;
  const readCount = context.readCounts.get(id);
  const lastMessage = last_message && withChanges(context.optimistic, last_message);
  if (!readCount && lastMessage === last_message) return conversation;
  const unread = unread_count && Math.max(0, unread_count - (readCount ?? 0));
  return {
    ...conversation,
    ...(unread !== undefined && { unread_count: unread }),
    ...(lastMessage !== undefined && { last_message: lastMessage }),
  };
}

function openConversation(
  context: LiveContext,
  inbox: InboxStore,
  id: string,
  { peek = false }: OpenOptions = {},
): OpenConversation {
  const { open, openCounts } = context;
  const one = open.get(id) ?? addOpenConversation(context, inbox, id, peek);
  const release = inbox.retain(id);
  const handle = { isOpen: true };
  openCounts.set(id, (openCounts.get(id) ?? 0) + 1);
  return {
    ...toHandle(one),
    close: () => {
      if (!handle.isOpen) return;
      handle.isOpen = false;
      release();
      const count = (openCounts.get(id) ?? 1) - 1;
      openCounts.set(id, count);
      if (count > 0) return;
      endConversation(one);
      open.delete(id);
      openCounts.delete(id);
    },
  };
}

function addOpenConversation(
  context: LiveContext,
  inbox: InboxStore,
  id: string,
  peek: boolean,
): OpenConversationStore {
  const { client, options, changes, outbox, optimistic, readCounts, ending } = context;
  const one = createOpenConversationStore({
    id,
    peek,
    client,
    options,
    changes,
    inbox,
    outbox,
    optimistic,
    readCounts,
    signal: ending.signal,
    getUserId: () => context.userId,
    getShown: () => {
      const conversation = inbox.get(id);
      return conversation ? toShown(context, conversation) : null;
    },
    onChange: () => {
      invalidateLists(context);
      one.store.invalidate();
    },
    apply: async (call) => {
      const since = changes.getTick();
      const result = await call;
      applyResult(context, result, since);
      return result;
    },
  });
  context.open.set(id, one);
  loadConversation(one, peek);
  return one;
}

function applyEvent(context: LiveContext, event: Event): void {
  const { changes, open, lists } = context;
  const { payload, version } = event;
  if (!payload) return;
  if (isDeleted(payload)) changes.recordDeletion(payload.id);
  else if (!changes.recordEvent(payload.id, version)) return;
  const one = 'conversation_id' in payload ? open.get(payload.conversation_id) : undefined;
  if (one && isMessage(payload)) applyMessage(one, payload);
  if (one && isDeletedMessage(payload)) applyDelete(one, payload.id);
  for (const { inbox } of lists) inbox.applyEvent(event);
}

/** Shows the result of a call that began at the tick, unless an event has changed it since. */
function applyResult(
  { changes, open, lists }: LiveContext,
  result: Message | Conversation | Deleted,
  since: number,
): void {
  if (isDeleted(result)) {
    changes.recordDeletion(result.id);
    for (const { inbox } of lists) inbox.applyLocalDelete(result.id);
    for (const one of open.values()) applyDelete(one, result.id);
  } else if (!changes.hasChangedSince(result.id, since)) {
    changes.recordLocalChange(result.id);
    const one = isMessage(result) ? open.get(result.conversation_id) : undefined;
    if (one && isMessage(result)) applyMessage(one, result);
    for (const { inbox } of lists) inbox.applyLocalChange(result);
  }
}

const invalidateLists = ({ lists }: LiveContext) => {
  for (const { store } of lists) store.invalidate();
};

function close(context: LiveContext): void {
  const { session, lists, outbox, ending } = context;
  session?.end();
  for (const { inbox } of lists) inbox.end();
  clearTimeout(outbox.timer);
  ending.abort();
  context.status = 'closed';
  invalidateLists(context);
}
