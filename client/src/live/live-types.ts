import type { ListConversationsParams, SendMessageParams } from '../generated/params.ts';
import type { Conversation, Deleted, Message, Reader, UpdateMessage } from '../generated/types.ts';
import type { SendOptions } from '../options.ts';
import type { OmitFromEach } from '../result-types.ts';
import type { OutboxStorage } from './outbox/outbox-storage.ts';
import type { PendingMessage } from './outbox/pending-message.ts';

/**
 * - `connecting`: the client connects, and loads the lists for the first time.
 * - `live`: changes appear almost at once.
 * - `polling`: there is no WebSocket, so changes appear within about `pollInterval`.
 * - `catching-up`: snapshots show the last state while the client reconnects and loads missed
 *   changes.
 * - `offline`: snapshots show the last state; `error` has the reason. The client retries.
 * - `signed-out`: the token source has no token. `reconnect()` connects again.
 * - `failed`: retrying does not help; `error` contains the reason. `reconnect()` connects again.
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

/**
 * A list's state, for an app to show. The object is immutable, and stays the same until the state
 * changes.
 */
export interface InboxSnapshot {
  readonly status: LiveStatus;
  /** The last failure, until the status is `live` or `polling`. */
  readonly error: Error | null;
  /** In the order of the API's list, with the fields of `expand`. */
  readonly conversations: readonly Conversation[];
  /** Whether `loadMore` can load more. */
  readonly hasMore: boolean;
}

/** The state of one conversation for an app to show. */
export interface ConversationSnapshot {
  /**
   * `gone`: the conversation was deleted, or the user has no access to it. `failed`: `error` has
   * the reason, and `reload()` retries.
   */
  readonly status: 'loading' | 'ready' | 'failed' | 'gone';
  readonly error: Error | null;
  /** Null while the conversation is not loaded. */
  readonly conversation: Conversation | null;
  /**
   * Newest first, without gaps, including unconfirmed changes. Replies have `reply_to`; messages
   * with mentions have `mentions`.
   */
  readonly messages: readonly Message[];
  /** Unsent messages in the order of sending. Show them after the newest message. */
  readonly pending: readonly PendingMessage[];
  /**
   * Up to 100 readers, sorted by `last_opened_at`, newest first; empty before `loadReaders` is
   * called. A reader has read all messages whose id is at most `last_read_message_id`.
   */
  readonly readers: readonly Reader[];
  /** Whether `loadOlder` can load more. */
  readonly hasMore: boolean;
}

/** A store for React's `useSyncExternalStore(subscribe, getSnapshot)`. */
export interface Store<Snapshot> {
  /** Calls the listener after each change. Returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Snapshot;
}

export interface LiveList extends Store<InboxSnapshot> {
  /** Loads the next page of conversations. */
  readonly loadMore: () => Promise<void>;
  /** Stops updates. Snapshots stay readable. */
  readonly close: () => void;
}

export interface LiveInbox extends LiveList {
  /** Adds a list, such as the archived conversations. It shares the connection and the feed. */
  readonly list: (params: ListFilters) => LiveList;
  /**
   * Loads the newest messages of a conversation, and keeps them up to date until `close` is called.
   */
  readonly open: (conversationId: string, options?: OpenOptions) => OpenConversation;
  /** Shows the result of a call without waiting for its event. Resolves with the same result. */
  readonly apply: <Result extends Message | Conversation | Deleted>(
    call: Promise<Result>,
  ) => Promise<Result>;
  /** Reconnects at once, for example when the app returns to the foreground. */
  readonly reconnect: () => void;
}

export interface OpenOptions {
  /** Whether to load the conversation without marking it as read or opened. */
  peek?: boolean | undefined;
}

/** The fields of a message that the outbox stores. */
export type OutgoingMessage = Pick<
  SendMessageParams,
  'message' | 'attachments' | 'reply_to_id' | 'mentions'
> & {
  /** Files to upload and append to `attachments`. A `File` provides its name. */
  files?: readonly Blob[] | undefined;
};

export interface OpenConversation extends Store<ConversationSnapshot> {
  readonly id: string;
  /** Loads the next page of older messages. */
  readonly loadOlder: () => Promise<void>;
  /**
   * Shows the message as pending, uploads its files, and sends it after earlier messages. Without a
   * network, the message waits. Resolves when the message is sent. Rejects if it cannot be stored,
   * fails permanently or is discarded.
   */
  readonly send: (
    message: OutgoingMessage,
    options?: Pick<SendOptions, 'idempotencyKey'>,
  ) => Promise<Message>;
  /** Sends a failed message again, after all other pending messages. */
  readonly retry: (key: string) => Promise<void>;
  /**
   * Removes a message that has failed or that the client has not tried to send yet, and cancels its
   * uploads.
   */
  readonly discard: (key: string) => Promise<void>;
  /**
   * Updates a message, and shows the change at once. If the request fails, restores the message.
   */
  readonly update: (messageId: string, fields: UpdateMessage) => Promise<Message>;
  /** Deletes a message, and hides it at once. If the request fails, shows the message again. */
  readonly delete: (messageId: string) => Promise<Deleted>;
  /**
   * Marks all shown messages as read within a second, if any is unread. `open` itself marks the
   * loaded messages as read, unless `peek` is set.
   */
  readonly markRead: () => Promise<void>;
  /** Marks a message and all later ones as unread, on all of the user's devices. */
  readonly markUnread: (messageId: string) => Promise<void>;
  /**
   * Loads the conversation's readers into the snapshot. In a direct conversation, they then stay up
   * to date; in a group, call this function again. Rejects if the request fails. Unless the error
   * is permanent, the client then retries when the API is reachable again.
   */
  readonly loadReaders: () => Promise<void>;
  /** Loads the conversation again, for example after a failure. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/** The part of the platform's WebSocket that the client uses. Compatible with the `ws` package. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data?: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}

export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

/** Filters of a list, `expand`, and `limit` (number of conversations per page). */
export type ListFilters = OmitFromEach<ListConversationsParams, 'starting_after' | 'ending_before'>;

export interface LiveOptions {
  /**
   * Filters of the list, `expand`, and `limit` (number of conversations per page, default 20). By
   * default, `expand` has `contact`, `last_message` and `unread_count`.
   */
  conversations?: ListFilters | undefined;
  /** Messages per page of an open conversation. Default: 30. */
  messagesPerPage?: number | undefined;
  /**
   * Maximum number of conversations per list in memory, besides those from `loadMore`. Default:
   * 500.
   */
  maxConversations?: number | undefined;
  /**
   * Maximum number of messages per open conversation, besides those from `loadOlder`. Default: 500.
   */
  maxMessages?: number | undefined;
  /** Average milliseconds between feed reads if there is no WebSocket. Default: 15,000. */
  pollInterval?: number | undefined;
  /**
   * Storage that keeps unsent messages and their files after the app exits. Default: memory only.
   */
  storage?: OutboxStorage | undefined;
  /** Replaces the platform's WebSocket; `null` disables it. */
  WebSocket?: SocketConstructor | null | undefined;
}
