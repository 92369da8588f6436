import type { Client } from '../client.ts';
import type { Event } from '../generated/types.ts';
import { startLiveSession } from './connection/live-session.ts';
import { readTokenSubject } from './connection/token-subject.ts';
import type { InboxSnapshot, LiveInbox, LiveOptions, LiveStatus } from './live-types.ts';
import { createChangeTracker } from './stores/change-tracker.ts';
import { createInboxStore } from './stores/inbox-store.ts';
import {
  createOpenConversationStore,
  type OpenConversationStore,
} from './stores/open-conversation-store.ts';
import { isDeleted, isDeletedMessage, isMessage } from './stores/resource-guards.ts';
import { createSnapshotStore } from './stores/snapshot-store.ts';

/** The caller's inbox, kept up to date until it is closed. */
export function live(client: Client, options: LiveOptions = {}): LiveInbox {
  const ending = new AbortController();
  const { signal } = ending;
  const changes = createChangeTracker();
  const openConversations = new Map<string, { thread: OpenConversationStore; count: number }>();
  let status: LiveStatus = 'connecting';
  let error: Error | null = null;
  let me: string | undefined;

  const shown = createSnapshotStore((): InboxSnapshot => ({ status, error, ...inbox.list() }));
  const inbox = createInboxStore({
    client,
    options,
    changes,
    signal,
    me: () => me,
    onChange: (id) => {
      shown.invalidate();
      if (id !== undefined) openConversations.get(id)?.thread.invalidate();
    },
    onRemoved: (id) => openConversations.get(id)?.thread.markRemoved(),
    onUnexplainedRemoval: () => session.requireReload(),
  });

  const applyEvent = (event: Event) => {
    const { payload, version } = event;
    if (!payload) return;
    if (isDeleted(payload)) changes.recordDeletion(payload.id);
    else if (!changes.recordEvent(payload.id, version)) return;
    if (isMessage(payload))
      openConversations.get(payload.conversation_id)?.thread.applyMessage(payload);
    if (isDeletedMessage(payload))
      openConversations.get(payload.conversation_id)?.thread.applyDelete(payload.id);
    inbox.applyEvent(event);
  };

  const session = startLiveSession({
    client,
    options,
    apply: applyEvent,
    load: async () => {
      await inbox.load();
      await Promise.all(
        Array.from(openConversations.values(), ({ thread }) => thread.load({ peek: true })),
      );
    },
    onReachable: () => {
      inbox.flushRefetches();
      for (const { thread } of openConversations.values())
        if (thread.hasFailed()) thread.load({ peek: true });
    },
    onStatus: (next, failure) => {
      if (status === 'closed') return;
      status = next;
      error = next === 'live' || next === 'polling' ? null : (failure ?? error);
      shown.invalidate();
    },
    onToken: (token) => {
      me = readTokenSubject(token);
    },
  });

  const open: LiveInbox['open'] = (id, { peek = false } = {}) => {
    let entry = openConversations.get(id);
    if (!entry) {
      const thread = createOpenConversationStore({
        id,
        peek,
        client,
        options,
        changes,
        inbox,
        signal,
      });
      entry = { thread, count: 0 };
      openConversations.set(id, entry);
      thread.load({ peek });
    }
    const { thread } = entry;
    const own = entry;
    const release = inbox.retain(id);
    let isOpen = true;
    own.count += 1;
    return {
      ...thread.handle,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        release();
        own.count -= 1;
        if (own.count > 0) return;
        thread.end();
        openConversations.delete(id);
      },
    };
  };

  return {
    subscribe: shown.subscribe,
    getSnapshot: shown.getSnapshot,
    loadMore: inbox.loadMore,
    open,
    apply: async (call) => {
      const since = changes.getTick();
      const result = await call;
      if (isDeleted(result)) {
        changes.recordDeletion(result.id);
        inbox.applyLocalDelete(result.id);
        for (const { thread } of openConversations.values()) thread.applyDelete(result.id);
      } else if (!changes.hasChangedSince(result.id, since)) {
        changes.recordLocalChange(result.id);
        if (isMessage(result))
          openConversations.get(result.conversation_id)?.thread.applyMessage(result);
        inbox.applyLocalChange(result);
      }
      return result;
    },
    reconnect: session.restart,
    close: () => {
      session.end();
      inbox.end();
      ending.abort();
      status = 'closed';
      shown.invalidate();
    },
  };
}
