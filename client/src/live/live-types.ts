import type { ListConversationsParams, SendMessageParams } from '../generated/params.ts';
import type { Conversation, Deleted, Message, Reader, UpdateMessage } from '../generated/types.ts';
import type { SendOptions } from '../options.ts';
import type { OmitFromEach } from '../result-types.ts';
import type { OutboxStorage } from './outbox/outbox-storage.ts';
import type { PendingMessage } from './outbox/pending-message.ts';

/**
 * - `connecting`: the first load has not finished.
 * - `live`: changes show within a moment.
 * - `polling`: there is no WebSocket, so changes show after up to `pollInterval`.
 * - `catching-up`: shows the last state while it connects again and loads missed changes.
 * - `offline`: shows the last state; `error` has the reason. The client retries.
 * - `signed-out`: the token source has no token. `reconnect()` starts again.
 * - `failed`: retrying does not help; `error` has the reason. `reconnect()` starts again.
 * - `closed`: `close()` was called.
 */
export type LiveStatus =
  | 'connecting'
  | 'live'
  | 'polling'
  | 'catching-up'
  | 'offline'
  | 'signed-out'
  | 'failed'
  | 'closed';

/** What an app shows of a list: an immutable object that stays the same until a change. */
export interface InboxSnapshot {
  readonly status: LiveStatus;
  /** The last failure, until the status is `live` or `polling`. */
  readonly error: Error | null;
  /** In the order of the API's list, with the fields of `expand`. */
  readonly conversations: readonly Conversation[];
  /** Whether `loadMore` has more. */
  readonly hasMore: boolean;
}

/** What an app shows of one conversation. */
export interface ConversationSnapshot {
  /**
   * `gone`: it was deleted, or the user is no longer a member. `failed`: see `error`; `reload()`
   * retries.
   */
  readonly status: 'loading' | 'ready' | 'failed' | 'gone';
  readonly error: Error | null;
  /** Null until it is loaded. */
  readonly conversation: Conversation | null;
  /**
   * Newest first, without gaps, with the changes in progress. Replies have `reply_to`, and messages
   * with mentions `mentions`.
   */
  readonly messages: readonly Message[];
  /** Unsent messages in the order of sending. Show them after the newest message. */
  readonly pending: readonly PendingMessage[];
  /**
   * Who has read it, most recent opening first. Empty until `loadReaders`. A reader has read all
   * messages whose id is at most `last_read_message_id`.
   */
  readonly readers: readonly Reader[];
  /** Whether `loadOlder` has more. */
  readonly hasMore: boolean;
}

/** A store as React's `useSyncExternalStore(subscribe, getSnapshot)` expects it. */
export interface Store<Snapshot> {
  /** Calls the listener after each change. Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Snapshot;
}

/** A list of conversations. */
export interface LiveList extends Store<InboxSnapshot> {
  /** Loads the next page of conversations. */
  readonly loadMore: () => Promise<void>;
  /** Stops updates. Snapshots stay readable. */
  readonly close: () => void;
}

export interface LiveInbox extends LiveList {
  /** Adds a list, such as the archived conversations. It shares the connection and the feed. */
  readonly list: (params: ListFilters) => LiveList;
  /** Loads the newest messages of a conversation, and keeps them up to date until `close`. */
  readonly open: (conversationId: string, options?: OpenOptions) => OpenConversation;
  /** Shows the result of a call without waiting for its event. Returns the same promise. */
  readonly apply: <Result extends Message | Conversation | Deleted>(
    call: Promise<Result>,
  ) => Promise<Result>;
  /** Connects again at once, such as when the app returns to the foreground. */
  readonly reconnect: () => void;
}

export interface OpenOptions {
  /** Marks nothing as read or opened. */
  peek?: boolean | undefined;
}

export type OutgoingMessage = Omit<SendMessageParams, 'conversation_id'> & {
  /** Files to upload, after the attachments. A `File` has a name. */
  files?: readonly Blob[] | undefined;
};

export interface OpenConversation extends Store<ConversationSnapshot> {
  readonly id: string;
  /** Loads the next page of older messages. */
  readonly loadOlder: () => Promise<void>;
  /**
   * Shows the message as pending, uploads its files, and sends it after those before it. Resolves
   * when it is sent, which may take until there is a network. Rejects if it fails for good.
   */
  readonly send: (
    message: OutgoingMessage,
    options?: Pick<SendOptions, 'idempotencyKey'>,
  ) => Promise<Message>;
  /** Sends a failed message again. */
  readonly retry: (key: string) => Promise<void>;
  /** Removes a message that failed, or that is not attempted yet, and ends its uploads. */
  readonly discard: (key: string) => Promise<void>;
  /** Shows a change of a message at once. If the API refuses it, shows the message as before. */
  readonly update: (messageId: string, fields: UpdateMessage) => Promise<Message>;
  /** Removes a message at once. If the API refuses it, shows the message again. */
  readonly delete: (messageId: string) => Promise<Deleted>;
  /**
   * Marks all shown messages as read, within a second. Does nothing if nothing is unread. Opening
   * marks what it loads, unless `peek` is set.
   */
  readonly markRead: () => Promise<void>;
  /** Marks a message and those after it as unread, on all of the user's devices. */
  readonly markUnread: (messageId: string) => Promise<void>;
  /**
   * Loads who has read the conversation into the snapshot. A direct conversation then stays up to
   * date; a group needs another call.
   */
  readonly loadReaders: () => Promise<void>;
  /** Retries loading, for example after a failure. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/** The part of the platform's WebSocket that the client uses. The types fit the package ws. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data?: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}

export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

/** Filters of a list, and `limit`, the conversations per page. */
export type ListFilters = OmitFromEach<ListConversationsParams, 'starting_after' | 'ending_before'>;

export interface LiveOptions {
  /**
   * Filters of the list, and `limit`, the conversations per page (20). By default, `expand` has
   * `contact`, `last_message` and `unread_count`.
   */
  conversations?: ListFilters | undefined;
  /** Messages per page of an open conversation, at most 100. Default: 30. */
  messagesPerPage?: number | undefined;
  /** Maximum conversations in memory, not counting those of `loadMore`. Default: 500. */
  maxConversations?: number | undefined;
  /** Maximum messages per open conversation, not counting those of `loadOlder`. Default: 500. */
  maxMessages?: number | undefined;
  /** Milliseconds between two reads of the feed without WebSocket. Default: 15,000. */
  pollInterval?: number | undefined;
  /** Keeps unsent messages and their files when the app exits. Default: memory. */
  storage?: OutboxStorage | undefined;
  /** Replaces the platform's; `null` for none. */
  WebSocket?: SocketConstructor | null | undefined;
}
