import type { Client } from '../../client.ts';
import type { ListConversationsParams } from '../../generated/types.ts';
import type { SerialQueue } from '../serial-queue.ts';
import type { CacheUpdate } from './cached-conversation.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { ConversationCache } from './conversation-cache.ts';
import type { RefetchQueue } from './refetch-queue.ts';

/** The state of one list of conversations. */
export interface InboxContext {
  readonly client: Pick<Client, 'conversations'>;
  readonly params: ListConversationsParams;
  /** Conversations per page. */
  readonly limit: number;
  readonly maxListed: number;
  readonly changes: ChangeTracker;
  readonly cache: ConversationCache;
  readonly refetches: RefetchQueue;
  /** Loads one page after the other. */
  readonly enqueue: SerialQueue;
  readonly signal: AbortSignal;
  /** Returns the user's contact id, if known. */
  getUserId(): string | undefined;
  /** Stores an update, and fetches the conversation again if the update is not exact. */
  storeUpdate(update: CacheUpdate): void;
  /** Called if an open conversation is missing in the list. */
  onOpenNotListed(conversationId: string): void;
  /** Called if the list may order the conversation differently. */
  onPositionUncertain(conversationId: string): void;
  /** Called if a conversation disappears without an event. */
  onUnexplainedRemoval(): void;
}
