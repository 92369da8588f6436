import type { Client } from '../../client.ts';
import { NotFoundError } from '../../generated/errors.ts';
import type {
  Conversation,
  Event,
  ListConversationsParams,
  Message,
} from '../../generated/types.ts';
import { createSerialQueue } from '../serial-queue.ts';
import {
  isNewerThanLast,
  withConversationUpdate,
  withFetched,
  withMessageDeleted,
  withMessagesRead,
  withMessageUpdate,
  withNewMessage,
} from './cached-conversation.ts';
import type { ChangeTracker } from './change-tracker.ts';
import {
  belongsToList,
  createConversationCache,
  getListed,
  hasTiedPosition,
  putConversation,
  removeConversation,
  retainConversation,
  takeTopRank,
  trimList,
} from './conversation-cache.ts';
import { loadList, loadMore } from './conversation-loader.ts';
import type { InboxContext } from './inbox-context.ts';
import { createRefetchQueue } from './refetch-queue.ts';
import { isConversation, isDeleted, isDeletedMessage, isMessage } from './resource-guards.ts';

export interface InboxStore {
  /** Loads again all that is shown. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  applyEvent(event: Event): void;
  /** Shows what this client created or changed. */
  applyLocalChange(resource: Message | Conversation): void;
  /** Removes a conversation or message that this client deleted. */
  applyLocalDelete(id: string): void;
  /** Records that the user has read all messages up to this one. */
  markOpened(conversationId: string, newestId: string | undefined): void;
  get(conversationId: string): Conversation | undefined;
  /** Keeps a conversation, and loads it if it is missing. Returns the function that ends this. */
  retain(conversationId: string): () => void;
  list(): { conversations: readonly Conversation[]; hasMore: boolean };
  /** Repeats failed requests. */
  flushRefetches(): void;
  end(): void;
}

export interface InboxStoreOptions {
  client: Pick<Client, 'conversations'>;
  params: ListConversationsParams | undefined;
  maxConversations: number | undefined;
  changes: ChangeTracker;
  signal: AbortSignal;
  getUserId(): string | undefined;
  onChange(conversationId?: string): void;
  /** Called if a conversation is deleted, or the user may no longer see it. */
  onRemoved(conversationId: string): void;
  onUnexplainedRemoval(): void;
}

/** Above this number, listing costs less than retrieving each conversation. */
const maxSingleRetrievals = 5;
/** Name in the refetch queue of the whole list, whose order is uncertain. */
const wholeList = 'list';
/** Returns a random delay, so that clients do not fetch at the same moment. */
const between = (minMs: number, maxMs: number) => minMs + Math.random() * (maxMs - minMs);
/** Delay until a conversation that is not shown is retrieved … */
const getMissingDelay = () => between(50, 150);
/** … one whose unread count is uncertain … */
const getInexactDelay = () => between(2000, 4000);
/** … and until the list is loaded again because its order is uncertain. */
const getOrderDelay = () => between(5000, 10_000);

/** Keeps one list of conversations up to date from events, and fetches what events do not contain. */
export function createInboxStore(options: InboxStoreOptions): InboxStore {
  const context = createContext(options);
  const { cache, changes, refetches, enqueue } = context;
  const load = () => enqueue(() => loadList(context));
  return {
    load,
    loadMore: () => enqueue(() => loadMore(context)),
    applyEvent: (event) => applyEvent(context, event),
    applyLocalChange: (resource) => applyLocalChange(context, resource),
    applyLocalDelete: (id) => {
      if (cache.entries.has(id)) removeConversation(cache, id);
      for (const { conversation } of [...cache.entries.values()]) {
        if ([conversation.last_message?.id, conversation.pinned_message_id].includes(id))
          applyMessageDelete(context, conversation.id, id);
      }
    },
    markOpened: (id, newestId = '') => {
      const entry = cache.entries.get(id);
      if (entry?.conversation.unread_count === undefined) return;
      changes.recordLocalChange(id);
      context.storeUpdate(withMessagesRead(entry, newestId, changes.getTick()));
    },
    get: (id) => cache.entries.get(id)?.conversation,
    retain: (id) => {
      if (!cache.entries.has(id)) refetches.schedule(id, 0);
      return retainConversation(cache, id);
    },
    list: () => ({
      conversations: getListed(cache).map(({ conversation }) => conversation),
      hasMore: cache.end !== undefined,
    }),
    flushRefetches: refetches.flush,
    end: refetches.end,
  };
}

function createContext(options: InboxStoreOptions): InboxContext {
  const { client, changes, signal, getUserId, onUnexplainedRemoval } = options;
  const {
    limit = 20,
    expand = ['contact', 'last_message', 'unread_count'],
    ...filters
  } = options.params ?? {};
  const maxListed = options.maxConversations ?? 500;
  const { onChange, onRemoved } = options;
  const cache = createConversationCache({ filters, maxListed, onChange, onRemoved });
  const refetches = createRefetchQueue((ids) => refetch(context, ids));
  const context: InboxContext = {
    client,
    params: { ...filters, expand },
    limit,
    maxListed,
    changes,
    cache,
    refetches,
    enqueue: createSerialQueue(),
    signal,
    getUserId,
    storeUpdate: ({ one, isExact }) => {
      if (!isExact) refetches.schedule(one.conversation.id, getInexactDelay());
      putConversation(cache, one);
    },
    onOpenNotListed: (id) => refetches.schedule(id, getMissingDelay()),
    onPositionUncertain: (id) => {
      if (hasTiedPosition(cache, id)) refetches.schedule(wholeList, getOrderDelay());
    },
    onUnexplainedRemoval,
  };
  return context;
}

async function refetch(context: InboxContext, ids: string[]): Promise<void> {
  const { cache, enqueue } = context;
  const listsAll = ids.includes(wholeList) || ids.length > maxSingleRetrievals;
  const isUnlisted = (id: string) => cache.openCounts.has(id) && !cache.listedIds.has(id);
  if (listsAll) await enqueue(() => loadList(context));
  const single = ids.filter((id) => id !== wholeList && (!listsAll || isUnlisted(id)));
  await Promise.all(single.map((id) => retrieve(context, id)));
}

async function retrieve(context: InboxContext, id: string): Promise<void> {
  const { client, params, changes, cache, signal } = context;
  const since = changes.getTick();
  try {
    const one = await client.conversations.retrieve(
      { conversation_id: id, expand: params.expand },
      { signal },
    );
    if (changes.isDeleted(id)) return;
    const entry = cache.entries.get(id);
    const rank = entry?.rank ?? takeTopRank(cache);
    context.storeUpdate(withFetched(entry, one, { changes, since, rank }));
    trimList(cache);
    context.onPositionUncertain(id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (cache.entries.has(id) && !changes.isDeleted(id)) context.onUnexplainedRemoval();
    removeConversation(cache, id);
  }
}

function applyEvent(context: InboxContext, { type, payload }: Event): void {
  if (!payload) return;
  if (isDeletedMessage(payload)) {
    const { conversation_id, id } = payload;
    applyMessageDelete(context, conversation_id, id);
    // The deleted message has raised the conversation's last activity.
    if (type === 'message.created') context.refetches.schedule(conversation_id, getInexactDelay());
  } else if (isDeleted(payload)) removeConversation(context.cache, payload.id);
  else if (isConversation(payload)) applyConversation(context, payload);
  else if (type === 'message.created') applyNewMessage(context, payload);
  else applyMessageUpdate(context, payload);
}

function applyLocalChange(context: InboxContext, resource: Message | Conversation): void {
  if (!isMessage(resource)) {
    applyConversation(context, resource);
    return;
  }
  const isMine = resource.contact.id === context.getUserId();
  const entry = context.cache.entries.get(resource.conversation_id);
  if (isMine && isNewerThanLast(entry, resource)) applyNewMessage(context, resource);
  else applyMessageUpdate(context, resource);
}

function applyNewMessage(context: InboxContext, message: Message): void {
  const { cache, changes, refetches } = context;
  const { conversation_id: id } = message;
  const entry = cache.entries.get(id);
  if (!entry) {
    if (!cache.outsideIds.has(id)) refetches.schedule(id, getMissingDelay());
    return;
  }
  const update = withNewMessage(entry, message, {
    me: context.getUserId(),
    now: changes.getTick(),
    top: () => takeTopRank(cache),
  });
  context.storeUpdate(update);
  trimList(cache);
  if (update.one.rank !== entry.rank) context.onPositionUncertain(id);
}

function applyMessageUpdate({ cache }: InboxContext, message: Message): void {
  const entry = cache.entries.get(message.conversation_id);
  if (entry) putConversation(cache, withMessageUpdate(entry, message));
}

function applyMessageDelete(context: InboxContext, conversationId: string, id: string): void {
  const entry = context.cache.entries.get(conversationId);
  if (entry) context.storeUpdate(withMessageDeleted(entry, id, context.changes.getTick()));
}

function applyConversation(context: InboxContext, conversation: Conversation): void {
  const { cache, refetches } = context;
  const { id } = conversation;
  const entry = cache.entries.get(id);
  if (entry) context.storeUpdate(withConversationUpdate(entry, conversation));
  else if (belongsToList(cache, conversation)) refetches.schedule(id, getMissingDelay());
  else
    putConversation(cache, {
      conversation,
      rank: 0,
      fetchedAt: Number.NEGATIVE_INFINITY,
      lastCountedId: '',
      lastEventTick: 0,
    });
}
