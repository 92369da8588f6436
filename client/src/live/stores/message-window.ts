import type { Message } from '../../generated/types.ts';
import type { ConversationSnapshot } from '../live-types.ts';

/** The loaded messages of an open conversation. */
export interface MessageWindow {
  readonly status: ConversationSnapshot['status'];
  readonly error: Error | null;
  /** Messages from newest to oldest, without gaps. */
  readonly messages: readonly Message[];
  /**
   * Id of the oldest loaded message, even if it has been deleted; undefined if the conversation has
   * no older messages.
   */
  readonly oldestId: string | undefined;
  readonly maxMessages: number;
}

/** The messages of one or more consecutive pages, newest first. */
export interface FetchedMessages {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  /**
   * Reports whether the message has changed since the request began, or was deleted at any time.
   */
  hasChanged(id: string): boolean;
  isDeleted(id: string): boolean;
}

export const createWindow = (maxMessages: number): MessageWindow => ({
  status: 'loading',
  error: null,
  messages: [],
  oldestId: undefined,
  maxMessages,
});

/** Returns the window after a reload of all shown messages. */
export function withReload(window: MessageWindow, fetched: FetchedMessages): MessageWindow {
  const { messages, hasMore, hasChanged } = fetched;
  const ids = new Set(messages.map(({ id }) => id));
  const oldestId = hasMore ? messages.at(-1)?.id : undefined;
  const isNewer = ({ id }: Message) => hasChanged(id) && (oldestId === undefined || id > oldestId);
  const retained = window.messages.filter((one) => ids.has(one.id) || isNewer(one));
  const next: MessageWindow = { ...window, status: 'ready', error: null, oldestId };
  return withMessages({ ...next, messages: retained }, selectNew(retained, fetched));
}

/** Returns the window with a page of older messages added. */
export function withOlderPage(window: MessageWindow, fetched: FetchedMessages): MessageWindow {
  const { messages, hasMore } = fetched;
  const oldestId = hasMore ? (messages.at(-1)?.id ?? window.oldestId) : undefined;
  return withMessages({ ...window, oldestId }, selectNew(window.messages, fetched));
}

/**
 * Returns the fetched messages, omitting deleted messages and any message of the window that has
 * changed since the request began.
 */
const selectNew = (shown: readonly Message[], fetched: FetchedMessages) => {
  const ids = new Set(shown.map(({ id }) => id));
  return fetched.messages.filter(
    ({ id }) => !fetched.isDeleted(id) && !(fetched.hasChanged(id) && ids.has(id)),
  );
};

/** Returns the window with new or changed messages, limited to the newest `maxMessages`. */
export function withMessages(window: MessageWindow, added: readonly Message[]): MessageWindow {
  const { maxMessages } = window;
  const byId = new Map(window.messages.map((one) => [one.id, one]));
  // Keeps the known `reply_to` and `mentions`, which most calls do not return.
  for (const one of added) byId.set(one.id, { ...byId.get(one.id), ...one });
  const all = [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  const messages = all.slice(0, maxMessages);
  const oldestId = all.length > maxMessages ? messages.at(-1)?.id : window.oldestId;
  return { ...window, messages, oldestId };
}
