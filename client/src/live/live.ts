import type { Client } from '../client.ts';
import { type LiveSession, startLiveSession } from './connection/live-session.ts';
import { readTokenSubject } from './connection/token-subject.ts';
import { applyCall, toHandle } from './conversation-handle.ts';
import { isGroupEvent, receiveGroupEvent, removeGroup } from './groups/group-events.ts';
import { contexts, type InboxList, type LiveContext } from './live-context.ts';
import type { LiveInbox, LiveList, LiveOptions, OpenConversation } from './live-types.ts';
import { createOutbox, flushOutbox, loadOutbox } from './outbox/outbox.ts';
import { isMessagePart, isOpening, type MessagePart, type PushEvent } from './push-event.ts';
import { createChangeTracker } from './stores/change-tracker.ts';
import { putConversation } from './stores/conversation-cache.ts';
import { loadList, loadMore } from './stores/conversation-loader.ts';
import { applyOpening } from './stores/conversation-readers.ts';
import { applyResource, createInboxList, getLastMessage } from './stores/inbox-list.ts';
import { requestExact, wholeList } from './stores/inbox-refetches.ts';
import {
  createOpenConversation,
  endConversation,
  loadConversation,
  retryFailedLoads,
} from './stores/open-conversation.ts';
import { isDeleted, isMessage, type Resource } from './stores/resource-guards.ts';
import { applyDelete, applyMessage } from './stores/shown-messages.ts';

/** Keeps the user's conversations up to date until `close` is called. */
export function live(client: Client, options: LiveOptions = {}): LiveInbox {
  const ending = new AbortController();
  const context = createContext(client, options, ending.signal, {
    requireReload: () => session.requireReload(),
    joinGroup: () => session.joinGroup(),
    leaveGroup: (groupId) => session.leaveGroup(groupId),
  });
  const main = addList(context, options.conversations);
  const session = startSession(context);
  loadOutbox(context);
  const inbox: LiveInbox = {
    ...toList(main),
    list: (params) => {
      const list = addList(context, params);
      // The first load includes the lists that exist when it starts.
      if (context.lastLoadTick > 0 || context.status !== 'connecting')
        list.refetches.schedule(wholeList, 0);
      return toList(list);
    },
    open: (id, { peek = false } = {}) => openConversation(main, id, peek),
    apply: (call) => applyCall(context, call),
    reconnect: session.restart,
    close: () => {
      session.end();
      for (const { refetches } of context.lists) refetches.end();
      for (const store of context.groupStores) store.end();
      clearTimeout(context.outbox.timer);
      ending.abort();
      context.status = 'closed';
      invalidateLists(context);
    },
  };
  contexts.set(inbox, context);
  return inbox;
}

function createContext(
  client: Client,
  options: LiveOptions,
  signal: AbortSignal,
  session: LiveContext['session'],
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
    groupStores: new Set(),
    session,
    status: 'connecting',
    lastLoadTick: 0,
    error: null,
    applyResult: (result, since) => applyResult(context, result, since),
  };
  return context;
}

function startSession(context: LiveContext): LiveSession {
  const { client, options, outbox, lists, open, groupStores } = context;
  return startLiveSession({
    client,
    options,
    apply: (event) => receiveEvent(context, event),
    load: async () => {
      context.lastLoadTick = context.changes.advanceTick();
      await Promise.all([
        ...Array.from(lists, (list) => list.queue(() => loadList(list))),
        ...Array.from(open.values(), (one) => loadConversation(one, true)),
        ...Array.from(groupStores, (store) => store.load()),
      ]);
    },
    onReachable: () => {
      for (const { refetches } of lists) refetches.flush();
      for (const one of open.values()) retryFailedLoads(one);
      for (const store of groupStores) store.flush();
      flushOutbox(context);
    },
    onStatus: (status, error) => {
      if (context.status === 'closed') return;
      context.status = status;
      const isConnected = status === 'live' || status === 'polling';
      context.error = isConnected ? null : (error ?? context.error);
      invalidateLists(context);
    },
    onToken: (token) => {
      context.userId = readTokenSubject(token);
      outbox.prefix.resolve(`${context.userId ?? ''}/`);
    },
    onGroupLeft: (groupId) => removeGroup(context, groupId),
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

/** Shows an event. Returns false if only the feed has the complete payload. */
function receiveEvent(context: LiveContext, event: PushEvent): boolean {
  if (isGroupEvent(event)) {
    receiveGroupEvent(context, event);
    return true;
  }
  const { type, payload, version } = event;
  if (!payload) return true;
  const { changes } = context;
  if (isOpening(payload)) {
    const open = context.open.get(payload.conversation_id);
    if (changes.recordEvent(payload.id, version) && open) applyOpening(open, payload);
    return true;
  }
  if (type === 'message.created' && changes.isDeleted(payload.id)) {
    const { id, conversation_id } = payload;
    show(context, { id, conversation_id, deleted: true }, true);
    return true;
  }
  if (isMessagePart(payload)) return receivePart(context, payload, version);
  if (isDeleted(payload)) changes.recordDeletion(payload.id);
  else if (!changes.recordEvent(payload.id, version)) return true;
  show(context, payload, type === 'message.created');
  return true;
}

/**
 * Completes a partial message from the previous version, if that version is shown, and shows the
 * result. Returns false if only the feed has the complete message.
 */
function receivePart(context: LiveContext, part: MessagePart, version: number): boolean {
  const { changes, open, lists } = context;
  const { id, conversation_id } = part;
  const knownVersion = changes.getVersion(id);
  if (knownVersion !== version - 1) return knownVersion >= version;
  const shown = [
    ...(open.get(conversation_id)?.window.messages ?? []),
    ...Array.from(lists, (list) => getLastMessage(list, conversation_id)),
  ].find((message) => message?.id === id);
  // A load in progress may return the message's previous version.
  if (!shown && open.has(conversation_id)) return false;
  changes.recordEvent(id, version);
  if (shown) show(context, { ...shown, ...part }, false);
  return true;
}

/**
 * Shows the result of a call that started at the tick `since`. If a load has started since then,
 * its data may be newer than the result, so retrieves the conversation again.
 */
function applyResult(context: LiveContext, result: Resource, since: number): void {
  const { changes, lastLoadTick } = context;
  if (isDeleted(result)) changes.recordDeletion(result.id);
  else if (changes.hasChangedSince(result.id, since)) return;
  else changes.recordLocalChange(result.id);
  show(context, result);
  if (!isDeleted(result) && since < lastLoadTick)
    refresh(context, isMessage(result) ? result.conversation_id : result.id);
}

function refresh({ lists, open }: LiveContext, conversationId: string): void {
  for (const list of lists) requestExact(list, conversationId);
  const one = open.get(conversationId);
  if (one) loadConversation(one, true);
}

function show({ open, lists }: LiveContext, resource: Resource, isCreated?: boolean): void {
  for (const one of open.values()) {
    if (isDeleted(resource)) applyDelete(one, resource.id);
    else if (isMessage(resource) && resource.conversation_id === one.id)
      applyMessage(one, resource);
  }
  for (const list of lists) applyResource(list, resource, isCreated);
}

const invalidateLists = ({ lists }: LiveContext) => {
  for (const { store } of lists) store.invalidate();
};
