import type { Client } from '../../client.ts';
import { NotFoundError } from '../../generated/errors.ts';
import type { Conversation, Event, Message } from '../../generated/types.ts';
import type { LiveOptions } from '../live-types.ts';
import {
  type CacheUpdate,
  isNewerThanLast,
  withConversationUpdate,
  withFetched,
  withMessageDeleted,
  withMessagesRead,
  withMessageUpdate,
  withNewMessage,
} from './cached-conversation.ts';
import type { ChangeTracker } from './change-tracker.ts';
import { createConversationCache } from './conversation-cache.ts';
import { createConversationLoader } from './conversation-loader.ts';
import { createRefetchQueue } from './refetch-queue.ts';
import { isConversation, isDeleted, isDeletedMessage, isMessage } from './resource-guards.ts';

export interface InboxStore {
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  applyEvent(event: Event): void;
  /** Shows what was made or changed from here. */
  applyLocalChange(resource: Message | Conversation): void;
  /** That was deleted from here: a conversation or a message. */
  applyLocalDelete(id: string): void;
  /** The messages up to that one have been listed, as the caller reads them. */
  markOpened(conversationId: string, newest: string | undefined): void;
  get(conversationId: string): Conversation | undefined;
  /** Holds a conversation, listed or not; what it gives ends that. Asks for it where it is not there. */
  retain(conversationId: string): () => void;
  list(): { conversations: readonly Conversation[]; hasMore: boolean };
  /** What could not be asked for, now. */
  flushRefetches(): void;
  end(): void;
}

export interface InboxStoreOptions {
  client: Pick<Client, 'conversations'>;
  options: LiveOptions;
  changes: ChangeTracker;
  signal: AbortSignal;
  /** Whose inbox it is, where that is known. */
  me(): string | undefined;
  onChange(conversationId?: string): void;
  /** The conversation is deleted, or not for the caller to see any more. */
  onRemoved(conversationId: string): void;
  /** A conversation that was shown is not there any more, and nothing told why. */
  onUnexplainedRemoval(): void;
}

/** More than so many are listed rather than retrieved. */
const maxSingleRetrievals = 5;
/** The name of an errand, of the list's order. */
const order = 'order';

/** The caller's conversations: hears what happens, and asks for what that does not tell. */
export function createInboxStore(given: InboxStoreOptions): InboxStore {
  const {
    client,
    options,
    changes: know,
    signal,
    me,
    onChange: changed,
    onRemoved: gone,
    onUnexplainedRemoval: strayed,
  } = given;
  const {
    limit = 20,
    expand = ['contact', 'last_message', 'unread_count'],
    ...filters
  } = options.conversations ?? {};
  const maxListed = options.maxConversations ?? 500;
  const cache = createConversationCache({ filters, maxListed, onChange: changed, onRemoved: gone });

  const soon = () => 50 + Math.random() * 100;
  const later = () => 2000 + Math.random() * 2000;

  const storeUpdate = ({ one, isExact: isSure }: CacheUpdate) => {
    if (!isSure) refetches.schedule(one.conversation.id, later());
    cache.put(one);
  };
  const pages = createConversationLoader({
    client,
    params: { ...filters, expand, limit },
    maxListed,
    changes: know,
    cache,
    signal,
    storeUpdate,
    onOpenNotListed: (id) => refetches.schedule(id, soon()),
    onUnexplainedRemoval: strayed,
    onPositionUncertain: (id) => moved(id),
  });

  /** It has another place in the list, or may have. */
  const moved = (id: string) => {
    if (cache.hasTiedPosition(id)) refetches.schedule(order, 5000 + Math.random() * 5000);
  };

  const take = (one: Conversation, since: number) => {
    const had = cache.get(one.id);
    storeUpdate(
      withFetched(had, one, { changes: know, since, rank: had?.rank ?? cache.takeTopRank() }),
    );
    cache.trim();
    moved(one.id);
  };

  const retrieve = async (id: string) => {
    const since = know.getTick();
    try {
      const one = await client.conversations.retrieve({ conversation_id: id, expand }, { signal });
      if (!know.isDeleted(id)) take(one, since);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (cache.get(id) && !know.isDeleted(id)) strayed();
      cache.remove(id);
    }
  };

  const refetches = createRefetchQueue(async (ids) => {
    const listsAll = ids.includes(order) || ids.length > maxSingleRetrievals;
    const alone = listsAll ? ids.filter((id) => cache.isOpen(id) && !cache.isListed(id)) : ids;
    if (listsAll) await pages.load();
    await Promise.all(alone.filter((id) => id !== order).map(retrieve));
  });

  /** A message has come into a conversation. */
  const applyNewMessage = (message: Message) => {
    const { conversation_id: id } = message;
    const had = cache.get(id);
    if (!had) {
      if (!cache.isKnownOutside(id)) refetches.schedule(id, soon());
      return;
    }
    const next = withNewMessage(had, message, {
      me: me(),
      now: know.getTick(),
      top: cache.takeTopRank,
    });
    storeUpdate(next);
    cache.trim();
    if (next.one.rank !== had.rank) moved(id);
  };

  const applyMessageUpdate = (message: Message) => {
    const had = cache.get(message.conversation_id);
    if (had) cache.put(withMessageUpdate(had, message));
  };

  const applyMessageDelete = (conversationId: string, messageId: string) => {
    const had = cache.get(conversationId);
    if (had) storeUpdate(withMessageDeleted(had, messageId, know.getTick()));
  };

  const applyConversation = (one: Conversation) => {
    const had = cache.get(one.id);
    if (had) storeUpdate(withConversationUpdate(had, one));
    else if (cache.belongsToList(one)) refetches.schedule(one.id, soon());
    else
      cache.put({ conversation: one, rank: 0, fetchedAt: 0, lastCountedId: '', lastEventTick: 0 });
  };

  return {
    load: pages.load,
    loadMore: pages.loadMore,
    applyLocalChange: (resource) => {
      if (!isMessage(resource)) applyConversation(resource);
      else if (
        resource.contact.id === me() &&
        isNewerThanLast(cache.get(resource.conversation_id), resource)
      )
        applyNewMessage(resource);
      else applyMessageUpdate(resource);
    },
    applyLocalDelete: (id) => {
      if (cache.get(id)) cache.remove(id);
      for (const { conversation } of cache.getAll()) {
        if ([conversation.last_message?.id, conversation.pinned_message_id].includes(id))
          applyMessageDelete(conversation.id, id);
      }
    },
    applyEvent: ({ type, payload }) => {
      if (!payload) return;
      if (isDeletedMessage(payload)) {
        applyMessageDelete(payload.conversation_id, payload.id);
        // The conversation was active when it came.
        if (type === 'message.created') refetches.schedule(payload.conversation_id, later());
      } else if (isDeleted(payload)) cache.remove(payload.id);
      else if (isConversation(payload)) applyConversation(payload);
      else if (isMessage(payload) && type === 'message.created') applyNewMessage(payload);
      else if (isMessage(payload)) applyMessageUpdate(payload);
    },
    markOpened: (id, newest = '') => {
      const had = cache.get(id);
      if (had?.conversation.unread_count === undefined) return;
      know.recordLocalChange(id);
      storeUpdate(withMessagesRead(had, newest, know.getTick()));
    },
    get: (id) => cache.get(id)?.conversation,
    retain: (id) => {
      const release = cache.retain(id);
      if (!cache.get(id)) refetches.schedule(id, 0);
      return release;
    },
    list: () => ({
      conversations: cache.getListed().map(({ conversation }) => conversation),
      hasMore: cache.getEnd() !== undefined,
    }),
    flushRefetches: refetches.flush,
    end: refetches.end,
  };
}
