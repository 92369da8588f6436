import { hasCode } from '../../api-error.ts';
import type { Message, MessageExpansion } from '../../generated/types.ts';
import { toError } from '../../to-error.ts';
import { createDeferred } from '../deferred.ts';
import type { InboxList, OpenConversationState } from '../live-context.ts';
import type { ConversationSnapshot } from '../live-types.ts';
import { withoutUnconfirmed } from '../outbox/pending-message.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { loadReaders } from './conversation-readers.ts';
import { applyRead, removeMissing, toShown } from './inbox-list.ts';
import { createWindow, type FetchedMessages, withOlderPage, withReload } from './message-window.ts';
import { withChanges } from './optimistic-changes.ts';
import { setWindow } from './shown-messages.ts';
import { createSnapshotStore } from './snapshot-store.ts';

/** Expanded fields that events also have. */
const messageExpansions: MessageExpansion[] = ['reply_to', 'mentions'];

/** Time in milliseconds during which calls to `markRead` share one request. */
const markReadDelayMs = 1000;

/** Returns an open conversation that is not loaded yet. */
export function createOpenConversation(
  list: InboxList,
  id: string,
  peek: boolean,
): OpenConversationState {
  const state: OpenConversationState = {
    live: list.live,
    list,
    id,
    peek,
    queue: createSerialQueue(),
    markQueue: createSerialQueue(),
    store: createSnapshotStore(() => toSnapshot(state)),
    window: createWindow(list.live.options.maxMessages ?? 500),
    hasStaleReaders: false,
    readerLoads: 0,
    lastMarkedId: '',
    removals: 0,
    handles: 0,
  };
  return state;
}

/**
 * Loads the newest messages: as many as are already loaded, but at least one page. Marks the
 * messages as read unless `isPeek` is true. If loading fails, the snapshot has the error.
 */
export async function loadConversation(
  state: OpenConversationState,
  isPeek: boolean,
): Promise<void> {
  try {
    await runInTurn(state, () => load(state, isPeek));
  } catch (cause) {
    if (state.live.signal.aborted) return;
    const status = state.window.status === 'ready' ? 'ready' : 'failed';
    setWindow(state, { status, error: toError(cause) });
  }
}

/** Loads what failed to load: the messages, the readers, or both. Never rejects. */
export function retryFailedLoads(state: OpenConversationState): void {
  if (state.window.error) loadConversation(state, true);
  else if (state.hasStaleReaders) loadReaders(state).catch(() => {});
}

/** Loads the next page of older messages. */
export const loadOlder = (state: OpenConversationState): Promise<void> =>
  runInTurn(state, async () => {
    const { window, peek } = state;
    const from = window.oldestId;
    if (from === undefined || window.status !== 'ready') return;
    const count = getPageSize(state);
    setWindow(state, {
      maxMessages: Math.max(window.maxMessages, window.messages.length + count),
    });
    const fetched = await fetchMessages(state, { count, peek, from });
    if (fetched) setWindow(state, withOlderPage(state.window, fetched));
  });

/** Updates all snapshots that show the conversation. */
export function invalidate({ live, store }: OpenConversationState): void {
  for (const list of live.lists) list.store.invalidate();
  store.invalidate();
}

/**
 * Does nothing if all messages are read. Otherwise, immediately shows the messages as read, and
 * sends the read mark to the API within a second. Resolves after the API's reply, or when
 * `markUnread` cancels the read mark. Rejects if the request fails.
 */
export function markRead(state: OpenConversationState): Promise<void> {
  const { id, list, live, window } = state;
  const newestId = window.messages[0]?.id ?? '';
  const unreadCount = list.cache.entries.get(id)?.conversation.unread_count;
  const isRead = unreadCount === undefined ? newestId <= state.lastMarkedId : unreadCount === 0;
  if (isRead) return Promise.resolve();
  // Notify listeners only if the count changed, so that apps can call this function from a
  // listener.
  if (live.readCounts.get(id) !== (unreadCount ?? 0)) {
    live.readCounts.set(id, unreadCount ?? 0);
    invalidate(state);
  }
  state.mark ??= {
    timer: setTimeout(() => sendReadMark(state), markReadDelayMs),
    done: createDeferred(),
  };
  return state.mark.done.promise;
}

/**
 * Marks a message and all later ones as unread, and retrieves the conversation again. Cancels the
 * scheduled read mark. Waits for the reply to a read mark that has already been sent.
 */
export async function markUnread(state: OpenConversationState, messageId: string): Promise<void> {
  const { id, list, live } = state;
  clearTimeout(state.mark?.timer);
  state.mark?.done.resolve();
  state.mark = undefined;
  live.readCounts.delete(id);
  const change = { conversation_id: id, mark_unread_from: messageId };
  await state.markQueue(() => live.client.conversations.update(change));
  state.lastMarkedId = '';
  list.refetches.schedule(id, 0);
}

/** Stops updates, and sends the scheduled read mark at once. */
export function endConversation(state: OpenConversationState): void {
  state.store.removeAllListeners();
  if (!state.mark) return;
  clearTimeout(state.mark.timer);
  sendReadMark(state);
}

async function sendReadMark(state: OpenConversationState) {
  const { id, list, live, mark, window } = state;
  const newestId = window.messages[0]?.id;
  state.mark = undefined;
  try {
    if (newestId) {
      const change = { conversation_id: id, last_read_message_id: newestId };
      await state.markQueue(() => live.client.conversations.update(change));
      state.lastMarkedId = newestId;
      applyRead(list, id, newestId);
    }
    mark?.done.resolve();
  } catch (cause) {
    mark?.done.reject(toError(cause));
  }
  if (!state.mark) live.readCounts.delete(id);
  invalidate(state);
}

function toSnapshot({
  id,
  live,
  list,
  window,
  readers,
}: OpenConversationState): ConversationSnapshot {
  const { status, error, oldestId, messages } = window;
  const conversation = list.cache.entries.get(id)?.conversation;
  const isGone = status === 'gone';
  const pending = live.outbox.entries.filter(
    (one) => one.conversation_id === id && (!isGone || one.status === 'failed'),
  );
  const confirmed = withoutUnconfirmed(messages, pending, live.userId);
  return {
    status: status === 'ready' && !conversation ? 'loading' : status,
    error,
    conversation: conversation ? toShown(live, conversation) : null,
    messages: confirmed.flatMap((message) => withChanges(live.optimistic, message) ?? []),
    pending,
    readers: readers ?? [],
    hasMore: oldestId !== undefined,
  };
}

/**
 * Runs a task after all earlier tasks. If the API replies `not_found`, removes the conversation
 * instead of failing.
 */
const runInTurn = (state: OpenConversationState, task: () => Promise<void>) =>
  state.queue(async () => {
    try {
      await task();
    } catch (cause) {
      if (!hasCode(cause, 'not_found')) throw cause;
      removeMissing(state.list, state.id);
    }
  });

const getPageSize = ({ live }: OpenConversationState) => live.options.messagesPerPage ?? 30;

async function load(state: OpenConversationState, peek: boolean) {
  const { messages, maxMessages } = state.window;
  const count = Math.max(getPageSize(state), Math.min(maxMessages, messages.length));
  const fetched = await fetchMessages(state, { count, peek });
  if (!fetched) return;
  setWindow(state, withReload(state.window, fetched));
  if (state.readers) loadReaders(state).catch(() => {});
  if (!peek) applyRead(state.list, state.id, fetched.messages[0]?.id);
}

/** Returns a message as events contain it: without empty reply and mention fields. */
function toPlainMessage({ reply_to_id, reply_to, mentions, ...message }: Message): Message {
  return {
    ...message,
    ...(reply_to_id && { reply_to_id, reply_to: reply_to ?? null }),
    ...(mentions?.length && { mentions }),
  };
}

/** Returns up to `count` messages; undefined if the conversation is removed in the meantime. */
async function fetchMessages(
  state: OpenConversationState,
  { count, peek, from }: { count: number; peek: boolean; from?: string },
): Promise<FetchedMessages | undefined> {
  const { id, removals, live } = state;
  const { client, changes, signal } = live;
  const since = changes.getTick();
  const messages: Message[] = [];
  let hasMore = true;
  while (hasMore && messages.length < count) {
    const limit = Math.min(100, count - messages.length);
    const starting_after = messages.at(-1)?.id ?? from;
    const params = { conversation_id: id, limit, peek, starting_after, expand: messageExpansions };
    const page = await client.messages.list(params, { signal }).page();
    messages.push(...page.data.map(toPlainMessage));
    hasMore = page.has_more;
  }
  if (state.removals !== removals) return undefined;
  return {
    messages,
    hasMore,
    hasChanged: (one) => changes.hasChangedSince(one, since),
    isDeleted: changes.isDeleted,
  };
}
