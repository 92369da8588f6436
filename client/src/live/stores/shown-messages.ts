import type { Message } from '../../generated/types.ts';
import type { OpenConversationState } from '../live-context.ts';
import { createWindow, type MessageWindow, withMessages } from './message-window.ts';

type Quoted = NonNullable<Message['reply_to']> | null;

/** Changes the window of an open conversation. */
export function setWindow(state: OpenConversationState, change: Partial<MessageWindow>): void {
  state.window = { ...state.window, ...change };
  state.store.invalidate();
}

/**
 * Shows a new or changed message in the replies that quote it. Unless the message is older than the
 * loaded messages, also shows it in the window.
 */
export function applyMessage(state: OpenConversationState, message: Message): void {
  const { window } = state;
  if (window.status === 'gone') return;
  const { reply_to_id: _id, reply_to: _quoted, mentions: _mentions, ...quoted } = message;
  showQuoted(state, message.id, quoted);
  if (message.id >= (window.oldestId ?? ''))
    setWindow(state, withMessages(state.window, [message]));
}

/**
 * Removes a message and its quotes in replies. If the message was the oldest, `loadOlder` still
 * continues from its position.
 */
export function applyDelete(state: OpenConversationState, id: string): void {
  showQuoted(state, id, null);
  setWindow(state, { messages: state.window.messages.filter((one) => one.id !== id) });
}

function showQuoted(state: OpenConversationState, id: string, reply_to: Quoted) {
  const { messages } = state.window;
  if (messages.some((one) => one.reply_to?.id === id))
    setWindow(state, {
      messages: messages.map((one) => (one.reply_to?.id === id ? { ...one, reply_to } : one)),
    });
}

/** Clears a conversation that was deleted or to which the user has lost access. */
export function applyRemoval(state: OpenConversationState): void {
  state.removals += 1;
  state.readers = undefined;
  setWindow(state, { ...createWindow(state.window.maxMessages), status: 'gone' });
}
