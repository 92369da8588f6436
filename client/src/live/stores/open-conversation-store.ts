import type { Client } from '../../client.ts';
import { NotFoundError } from '../../generated/errors.ts';
import type { Message } from '../../generated/types.ts';
import { createIdempotencyKey } from '../../idempotency-key.ts';
import { toError } from '../../to-error.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import type { ConversationSnapshot, LiveOptions, OpenConversation } from '../live-types.ts';
import { discardMessage, enqueue, type Outbox, retryMessage } from '../outbox/outbox.ts';
import { withoutUnconfirmed } from '../outbox/pending-message.ts';
import { createSerialQueue, type SerialQueue } from '../serial-queue.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { InboxStore } from './inbox-store.ts';
import {
  createWindow,
  type FetchedMessages,
  type MessageWindow,
  withFailure,
  withMessage,
  withOlderPage,
  withoutMessage,
  withReload,
  withRemoval,
} from './open-conversation-state.ts';
import {
  type OptimisticChange,
  type OptimisticChanges,
  withChanges,
  withUpdate,
} from './optimistic-changes.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshot-store.ts';

/** Milliseconds in which calls of `markRead` become one request. */
const markReadDelayMs = 1000;

export interface OpenConversationOptions {
  id: string;
  peek: boolean;
  client: Pick<Client, 'messages' | 'conversations'>;
  options: LiveOptions;
  changes: ChangeTracker;
  inbox: InboxStore;
  outbox: Outbox;
  optimistic: OptimisticChanges;
  /** Unread messages per conversation that are shown as read before the API has confirmed it. */
  readCounts: Map<string, number>;
  signal: AbortSignal;
  getUserId(): string | undefined;
  /** Returns the conversation with the changes in progress. */
  getShown(): ConversationSnapshot['conversation'];
  /** Updates all snapshots that show the conversation. */
  onChange(): void;
  /** Shows the result of a call once it is there. */
  apply: <Result extends Message | { id: string; deleted: true }>(
    call: Promise<Result>,
  ) => Promise<Result>;
}

/** The state of an open conversation. */
export interface OpenConversationStore extends OpenConversationOptions {
  readonly store: SnapshotStore<ConversationSnapshot>;
  readonly queue: SerialQueue;
  window: MessageWindow;
  /** The newest message that was marked as read. */
  lastMarkedId: string;
  /** The request that will mark messages as read. */
  mark?: { timer: ReturnType<typeof setTimeout>; done: Deferred<void> } | undefined;
}

/** Returns the store of a conversation that is not loaded yet. */
export function createOpenConversationStore(
  options: OpenConversationOptions,
): OpenConversationStore {
  const state: OpenConversationStore = {
    ...options,
    store: createSnapshotStore(() => toSnapshot(state)),
    queue: createSerialQueue(),
    window: createWindow(options.options.maxMessages ?? 500),
    lastMarkedId: '',
  };
  return state;
}

/** Returns the functions for apps. */
export function toHandle(state: OpenConversationStore): Omit<OpenConversation, 'close'> {
  const { id, store, client, apply } = state;
  return {
    id,
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    loadOlder: () => runInTurn(state, () => loadOlder(state)),
    reload: () => {
      if (state.window.status !== 'ready') setWindow(state, { ...state.window, status: 'loading' });
      return loadConversation(state, state.peek);
    },
    send: (draft, options) => send(state, draft, options?.idempotencyKey),
    retry: (key) => retryMessage(state.outbox, key),
    discard: (key) => discardMessage(state.outbox, key),
    update: (messageId, fields) => {
      const change = (message: Message) => withUpdate(message, fields, state.getUserId());
      const call = () => apply(client.messages.update({ message_id: messageId, ...fields }));
      return showWhile(state, { messageId, apply: change }, call);
    },
    delete: (messageId) => {
      const call = () => apply(client.messages.delete({ message_id: messageId }));
      return showWhile(state, { messageId, apply: () => null }, call);
    },
    markRead: () => markRead(state),
  };
}

/** Loads again all that is shown. A failure shows in the snapshot. */
export async function loadConversation(
  state: OpenConversationStore,
  isPeek: boolean,
): Promise<void> {
  try {
    await runInTurn(state, () => load(state, isPeek));
  } catch (cause) {
    if (!state.signal.aborted) setWindow(state, withFailure(state.window, toError(cause)));
  }
}

export const applyMessage = (state: OpenConversationStore, message: Message): void =>
  setWindow(state, withMessage(state.window, message));

export const applyDelete = (state: OpenConversationStore, messageId: string): void =>
  setWindow(state, withoutMessage(state.window, messageId));

export const applyRemoval = (state: OpenConversationStore): void =>
  setWindow(state, withRemoval(state.window));

/** Ends updates, and sends a read mark that is waiting. */
export function endConversation(state: OpenConversationStore): void {
  state.store.removeAllListeners();
  if (!state.mark) return;
  clearTimeout(state.mark.timer);
  sendReadMark(state);
}

function toSnapshot(state: OpenConversationStore): ConversationSnapshot {
  const { id, window, outbox, optimistic } = state;
  const { status, error, oldestId } = window;
  const conversation = state.getShown();
  const pending = outbox.entries.filter((one) => one.conversation_id === id);
  const confirmed = withoutUnconfirmed(window.messages, pending, state.getUserId());
  return {
    status: status === 'ready' && !conversation ? 'loading' : status,
    error,
    conversation,
    messages: confirmed.flatMap((message) => withChanges(optimistic, message) ?? []),
    pending: status === 'gone' ? [] : pending,
    hasMore: oldestId !== undefined,
  };
}

function setWindow(state: OpenConversationStore, window: MessageWindow) {
  state.window = window;
  state.store.invalidate();
}

/** Runs a request after those before it. A deleted conversation is not a failure. */
const runInTurn = (state: OpenConversationStore, task: () => Promise<void>) =>
  state.queue(async () => {
    try {
      await task();
    } catch (cause) {
      if (!(cause instanceof NotFoundError)) throw cause;
      applyRemoval(state);
    }
  });

async function load(state: OpenConversationStore, isPeek: boolean) {
  const { id, options, inbox } = state;
  const { messages, maxMessages } = state.window;
  const wanted = Math.max(options.messagesPerPage ?? 30, Math.min(maxMessages, messages.length));
  const fetched = await fetchMessages(state, { wanted, peek: isPeek });
  setWindow(state, withReload(state.window, fetched));
  if (!isPeek) inbox.markOpened(id, fetched.messages[0]?.id);
}

async function loadOlder(state: OpenConversationStore) {
  const { window, peek, options } = state;
  if (window.oldestId === undefined || window.status !== 'ready') return;
  const wanted = options.messagesPerPage ?? 30;
  const maxMessages = Math.max(window.maxMessages, window.messages.length + wanted);
  state.window = { ...window, maxMessages };
  const fetched = await fetchMessages(state, { wanted, peek, from: window.oldestId });
  setWindow(state, withOlderPage(state.window, fetched));
}

async function fetchMessages(
  { id, client, changes, signal }: OpenConversationStore,
  { wanted, peek, from }: { wanted: number; peek: boolean; from?: string },
): Promise<FetchedMessages> {
  const since = changes.getTick();
  const messages: Message[] = [];
  let hasMore = true;
  while (hasMore && messages.length < wanted) {
    const limit = Math.min(100, wanted - messages.length);
    const params = {
      conversation_id: id,
      limit,
      peek,
      starting_after: messages.at(-1)?.id ?? from,
    };
    const page = await client.messages.list(params, { signal }).page();
    messages.push(...page.data);
    hasMore = page.has_more;
  }
  return {
    messages,
    hasMore,
    hasChanged: (one) => changes.hasChangedSince(one, since),
    isDeleted: changes.isDeleted,
  };
}

function send(
  state: OpenConversationStore,
  { message, attachments }: Parameters<OpenConversation['send']>[0],
  key = createIdempotencyKey(),
): Promise<Message> {
  const { id, outbox, window } = state;
  const newest = window.messages[0] ?? state.getShown()?.last_message;
  const afterId = newest?.id ?? (window.status === 'ready' ? '' : null);
  const draft = { key, conversation_id: id, message, attachments: attachments ?? [], afterId };
  return enqueue(outbox, draft);
}

/** Shows a change during its request. Afterwards shows the result, or what was there before. */
async function showWhile<Result>(
  state: OpenConversationStore,
  change: OptimisticChange,
  call: () => Promise<Result>,
): Promise<Result> {
  state.optimistic.add(change);
  state.onChange();
  try {
    return await call();
  } finally {
    state.optimistic.delete(change);
    state.onChange();
  }
}

/** Shows all messages as read, and tells the API within a second, unless nothing is unread. */
function markRead(state: OpenConversationStore): Promise<void> {
  const { id, inbox, readCounts, window } = state;
  const newestId = window.messages[0]?.id;
  const unreadCount = inbox.get(id)?.unread_count;
  if (newestId === undefined || newestId <= state.lastMarkedId || unreadCount === 0)
    return Promise.resolve();
  readCounts.set(id, unreadCount ?? 0);
  state.onChange();
  state.mark ??= {
    timer: setTimeout(() => sendReadMark(state), markReadDelayMs),
    done: createDeferred(),
  };
  return state.mark.done.promise;
}

async function sendReadMark(state: OpenConversationStore) {
  const { id, client, inbox, readCounts, mark } = state;
  const newestId = state.window.messages[0]?.id;
  state.mark = undefined;
  try {
    if (newestId !== undefined) {
      await client.conversations.update({ conversation_id: id, last_read_message_id: newestId });
      state.lastMarkedId = newestId;
      inbox.markOpened(id, newestId);
    }
    mark?.done.resolve();
  } catch (cause) {
    mark?.done.reject(toError(cause));
  } finally {
    if (!state.mark) readCounts.delete(id);
    state.onChange();
  }
}
