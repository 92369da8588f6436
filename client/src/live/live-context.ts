import type { Client } from '../client.ts';
import type { Conversation, Deleted, Message, Reader } from '../generated/types.ts';
import type { LiveSession } from './connection/live-session.ts';
import type { Deferred } from './deferred.ts';
import type {
  ConversationSnapshot,
  InboxSnapshot,
  ListFilters,
  LiveInbox,
  LiveOptions,
  LiveStatus,
} from './live-types.ts';
import type { Outbox } from './outbox/pending-message.ts';
import type { GroupChange } from './push-event.ts';
import type { SerialQueue } from './serial-queue.ts';
import type { ChangeTracker } from './stores/change-tracker.ts';
import type { ConversationCache } from './stores/conversation-cache.ts';
import type { MessageWindow } from './stores/message-window.ts';
import type { OptimisticChanges } from './stores/optimistic-changes.ts';
import type { RefetchQueue } from './stores/refetch-queue.ts';
import type { SnapshotStore } from './stores/snapshot-store.ts';

/** The state of `live`, which its lists and open conversations share. */
export interface LiveContext {
  readonly client: Client;
  readonly options: LiveOptions;
  readonly changes: ChangeTracker;
  readonly optimistic: OptimisticChanges;
  /**
   * Number of unread messages, by conversation id, that are shown as read until the API confirms
   * the read mark.
   */
  readonly readCounts: Map<string, number>;
  readonly outbox: Outbox;
  readonly signal: AbortSignal;
  /** All lists. The first one also caches the open conversations. */
  readonly lists: Set<InboxList>;
  readonly open: Map<string, OpenConversationState>;
  readonly groupStores: Set<GroupStore>;
  readonly session: Pick<LiveSession, 'requireReload' | 'joinGroup' | 'leaveGroup'>;
  status: LiveStatus;
  /** Tick at which the session last began to load the lists; 0 before the first load. */
  lastLoadTick: number;
  error: Error | null;
  userId?: string | undefined;
  /** Shows the result of a call, unless the resource has changed since the tick `since`. */
  applyResult(result: Message | Conversation | Deleted, since: number): void;
}

/** A store of groups, or of one group, that an app shows. */
export interface GroupStore {
  /** Loads all data again. If the load fails, the snapshot contains the error. */
  load(): Promise<void>;
  /** If the change affects the store, shows the change and schedules a load. */
  apply(change: GroupChange): void;
  leave(groupId: string): void;
  /** Retries a failed load. */
  flush(): void;
  end(): void;
}

export interface InboxList {
  readonly live: LiveContext;
  readonly params: ListFilters;
  /** Conversations per page. */
  readonly limit: number;
  readonly cache: ConversationCache;
  readonly refetches: RefetchQueue;
  readonly queue: SerialQueue;
  readonly store: SnapshotStore<InboxSnapshot>;
}

export interface OpenConversationState {
  readonly live: LiveContext;
  readonly list: InboxList;
  readonly id: string;
  readonly peek: boolean;
  readonly queue: SerialQueue;
  readonly store: SnapshotStore<ConversationSnapshot>;
  window: MessageWindow;
  /** Undefined until `loadReaders` is called. */
  readers?: readonly Reader[] | undefined;
  /** Whether the last load of the readers failed, so that the client must retry it. */
  hasStaleReaders: boolean;
  /** Number of times that a load of the readers has started. */
  readerLoads: number;
  /**
   * Id of the newest message that `markRead` has marked as read; empty before the first `markRead`
   * and after `markUnread`.
   */
  lastMarkedId: string;
  /** The scheduled request that marks messages as read. */
  mark?: { timer: ReturnType<typeof setTimeout>; done: Deferred<void> } | undefined;
  /** Sends read and unread marks one after another, so that the last one takes effect. */
  readonly markQueue: SerialQueue;
  /** Number of times that the conversation was deleted or the user lost access to it. */
  removals: number;
  /** Number of open handles. */
  handles: number;
}

/** The context of each inbox, for functions that only some apps import. */
export const contexts = new WeakMap<LiveInbox, LiveContext>();
