import type { Conversation, Deleted, Message } from '../generated/types.ts';
import { createIdempotencyKey } from '../requests/idempotency-key.ts';
import type { LiveContext, OpenConversationState } from './live-context.ts';
import type { OpenConversation } from './live-types.ts';
import { discardMessage, enqueue, retryMessage } from './outbox/outbox.ts';
import { loadReaders } from './stores/conversation-readers.ts';
import {
  invalidate,
  loadConversation,
  loadOlder,
  markRead,
  markUnread,
} from './stores/open-conversation.ts';
import { type OptimisticChange, withUpdate } from './stores/optimistic-changes.ts';
import { setWindow } from './stores/shown-messages.ts';

/** Returns the id and the public functions of an open conversation, except `close`. */
export function toHandle(state: OpenConversationState): Omit<OpenConversation, 'close'> {
  const { id, live, store } = state;
  const { client } = live;
  return {
    id,
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    loadOlder: () => loadOlder(state),
    reload: () => {
      if (state.window.status !== 'ready') setWindow(state, { status: 'loading' });
      return loadConversation(state, state.peek);
    },
    send: (draft, options) => send(state, draft, options?.idempotencyKey),
    retry: (key) => retryMessage(live, key),
    discard: (key) => discardMessage(live, key),
    update: (messageId, fields) =>
      showWhile(
        state,
        { messageId, apply: (message) => withUpdate(message, fields, live.userId) },
        () => client.messages.update({ message_id: messageId, ...fields }),
      ),
    delete: (messageId) =>
      showWhile(state, { messageId, apply: () => null }, () =>
        client.messages.delete({ message_id: messageId }),
      ),
    markRead: () => markRead(state),
    markUnread: (messageId) => markUnread(state, messageId),
    loadReaders: () => loadReaders(state),
  };
}

/** Awaits a call, then shows and returns its result. */
export async function applyCall<Result extends Message | Conversation | Deleted>(
  { changes, applyResult }: LiveContext,
  call: Promise<Result>,
): Promise<Result> {
  const since = changes.getTick();
  const result = await call;
  applyResult(result, since);
  return result;
}

function send(
  { id, live, list, window }: OpenConversationState,
  { message, attachments, files, reply_to_id, mentions }: Parameters<OpenConversation['send']>[0],
  key = createIdempotencyKey(),
): Promise<Message> {
  const newest = window.messages[0] ?? list.cache.entries.get(id)?.conversation.last_message;
  const afterId = newest?.id ?? (window.status === 'ready' ? '' : null);
  const draft = {
    ...{ key, conversation_id: id, message, attachments: attachments ?? [] },
    ...{ reply_to_id, mentions, afterId },
  };
  return enqueue(live, draft, files ?? []);
}

/**
 * Shows a change while its request is in progress, then shows the result. If the request fails,
 * removes the change.
 */
async function showWhile<Result extends Message | Deleted>(
  state: OpenConversationState,
  change: OptimisticChange,
  call: () => Promise<Result>,
): Promise<Result> {
  const { optimistic } = state.live;
  optimistic.add(change);
  invalidate(state);
  try {
    return await applyCall(state.live, call());
  } finally {
    optimistic.delete(change);
    invalidate(state);
  }
}
