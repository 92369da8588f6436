import type { Message } from '../../generated/types.ts';
import type { OpenConversationState } from '../live-context.ts';
import { createWindow, type MessageWindow, withMessages } from './message-window.ts';

/** Replaces the window of an open conversation. */
export function setWindow(state: OpenConversationState, change: Partial<MessageWindow>): void {
  state.window = { ...state.window, ...change };
  state.store.invalidate();
}

/** Shows a new or changed message, unless it is older than the loaded ones. */
export function applyMessage(state: OpenConversationState, message: Message): void {
  const { window } = state;
  if (window.status !== 'gone' && message.id >= (window.oldestId ?? ''))
    setWindow(state, withMessages(window, [message]));
}

/** Removes a message. The list continues after its position. */
export const applyDelete = (state: OpenConversationState, id: string): void =>
  setWindow(state, { messages: state.window.messages.filter((one) => one.id !== id) });

/** Empties a conversation that was deleted, or that the user may no longer see. */
export const applyRemoval = (state: OpenConversationState): void =>
  setWindow(state, { ...createWindow(state.window.maxMessages), status: 'gone' });
