import type {
  Conversation,
  Deleted,
  ListConversationsParams,
  Message,
  SendMessageParams,
} from '../generated/types.ts';
import type { SendOptions } from '../options.ts';

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

/** What an app shows of the inbox. A snapshot never changes; while nothing has, it is the same object. */
export interface InboxSnapshot {
  readonly status: LiveStatus;
  /** The last failure, until the status is `live` or `polling`. */
  readonly error: Error | null;
  /** In the order of the API's list, with what `expand` brings along. */
  readonly conversations: readonly Conversation[];
  /** Whether there are more than these: see `loadMore`. */
  readonly hasMore: boolean;
}

/** What an app shows of one conversation. */
export interface ConversationSnapshot {
  /** `gone`: it was deleted, or the caller takes part no more. `failed`: see `error`; `reload()` tries again. */
  readonly status: 'loading' | 'ready' | 'failed' | 'gone';
  readonly error: Error | null;
  /** Null until it is loaded. */
  readonly conversation: Conversation | null;
  /** Newest first, without gaps. */
  readonly messages: readonly Message[];
  /** Whether there are older ones: see `loadOlder`. */
  readonly hasMore: boolean;
}

/** Something that an app shows; as React's `useSyncExternalStore(subscribe, getSnapshot)` wants it. */
export interface Store<Snapshot> {
  /** Calls the listener after each change; gives what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Snapshot;
}

export interface LiveInbox extends Store<InboxSnapshot> {
  /** Loads the next page of conversations. */
  readonly loadMore: () => Promise<void>;
  /** Opens a conversation: loads its newest messages, and keeps them up to date until it is closed. */
  readonly open: (conversationId: string, options?: OpenOptions) => OpenConversation;
  /** Shows what a call gives once it is there, without waiting until it is heard: an update, a delete, a create. Gives the same promise. */
  readonly apply: <Result extends Message | Conversation | Deleted>(
    call: Promise<Result>,
  ) => Promise<Result>;
  /** Connects again at once, such as when the app is in the foreground again. */
  readonly reconnect: () => void;
  /** Ends everything. Snapshots stay readable. */
  readonly close: () => void;
}

export interface OpenOptions {
  /** Marks nothing as read or opened. */
  peek?: boolean;
}

export interface OpenConversation extends Store<ConversationSnapshot> {
  readonly id: string;
  /** Loads the page of older messages. */
  readonly loadOlder: () => Promise<void>;
  /** Sends a message, and shows it once the API has it. */
  readonly send: (
    message: Omit<SendMessageParams, 'conversation_id'>,
    options?: SendOptions,
  ) => Promise<Message>;
  /** Tells that everything that is shown has been read. Opening does that for what it loads, unless it peeks. */
  readonly markRead: () => Promise<void>;
  /** Loads it anew, such as after a failure. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/** As much of the platform's WebSocket as is used; one by one, as the package ws has them. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data?: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}

export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

export interface LiveOptions {
  /**
   * Which conversations, as `client.conversations.list` has it; `limit` is the size of a page (20 unless said). They bring along
   * `contact`, `last_message` and `unread_count` unless `expand` says otherwise.
   */
  conversations?: Omit<ListConversationsParams, 'starting_after' | 'ending_before'>;
  /** How many messages a page of an open conversation has; 30 unless said, at most 100. */
  messagesPerPage?: number;
  /** Maximum conversations in memory, not counting those of `loadMore`. Default: 500. */
  maxConversations?: number;
  /** Maximum messages per open conversation, not counting those of `loadOlder`. Default: 500. */
  maxMessages?: number;
  /** Milliseconds between two reads of the feed without WebSocket. Default: 15,000. */
  pollInterval?: number;
  /** Replaces the platform's; `null` for none. */
  WebSocket?: SocketConstructor | null;
}
