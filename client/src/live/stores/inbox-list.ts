import { hasCode } from '../../api-error.ts';
import type { Conversation, Message } from '../../generated/types.ts';
import type { InboxList, LiveContext } from '../live-context.ts';
import type { InboxSnapshot, ListFilters } from '../live-types.ts';
import { deleteStoredFailures } from '../outbox/outbox-entries.ts';
import { createSerialQueue } from '../serial-queue.ts';
import {
  isNewerThanLast,
  showsUnread,
  withConversationUpdate,
  withFetched,
  withMessageDeleted,
  withMessagesRead,
  withMessageUpdate,
  withNewMessage,
  withoutUnread,
} from './cached-conversation.ts';
import {
  belongsToList,
  createConversationCache,
  getListed,
  putConversation,
  removeConversation,
  takeTopRank,
  trimList,
} from './conversation-cache.ts';
import { loadList } from './conversation-loader.ts';
import {
  requestExact,
  requestMissing,
  requestMore,
  requestOrder,
  storeUpdate,
  wholeList,
} from './inbox-refetches.ts';
import { hasLeftSince } from './left-groups.ts';
import { withChanges } from './optimistic-changes.ts';
import { createRefetchQueue } from './refetch-queue.ts';
import { isConversation, isDeleted, isDeletedMessage, type Resource } from './resource-guards.ts';
import { applyRemoval } from './shown-messages.ts';
import { createSnapshotStore } from './snapshot-store.ts';

/**
 * Maximum number of conversations to retrieve one by one. Above this number, reloading the list
 * costs less.
 */
const maxSingleRetrievals = 5;

/** Returns a list of conversations that is not loaded yet. */
export function createInboxList(live: LiveContext, options: ListFilters = {}): InboxList {
  const { limit = 20, expand = ['contact', 'last_message', 'unread_count'], ...filters } = options;
  const list: InboxList = {
    live,
    params: { ...filters, expand },
    limit,
    cache: createConversationCache({
      filters,
      maxListed: live.options.maxConversations ?? 500,
      onChange: (id = '') => {
        list.store.invalidate();
        live.open.get(id)?.store.invalidate();
        requestMore(list);
      },
      // Open conversations belong to the first list.
      isOpen: (id) => live.open.get(id)?.list === list,
      onRemoved: (id) => {
        const open = live.open.get(id);
        if (open) applyRemoval(open);
        deleteStoredFailures(live, id);
      },
    }),
    refetches: createRefetchQueue((ids) => refetch(list, ids)),
    queue: createSerialQueue(),
    store: createSnapshotStore(() => toSnapshot(list)),
  };
  return list;
}

/** Returns the conversation with the changes in progress; the same object if there are none. */
export function toShown(live: LiveContext, conversation: Conversation): Conversation {
  const { id, unread_count, last_message } = conversation;
  const readCount = live.readCounts.get(id) ?? 0;
  const shown = last_message && withChanges(live.optimistic, last_message);
  if (!readCount && shown === last_message) return conversation;
  const unread = Math.max(0, (unread_count ?? 0) - readCount);
  return {
    ...(unread > 0 ? { ...conversation, unread_count: unread } : withoutUnread(conversation)),
    ...(shown !== undefined && { last_message: shown }),
  };
}

/**
 * Applies a changed or deleted resource to the list. `isCreated` is true for a `message.created`
 * event, false for other events, and undefined for the result of a call.
 */
export function applyResource(list: InboxList, resource: Resource, isCreated?: boolean): void {
  if (isDeletedMessage(resource)) {
    const { conversation_id, id } = resource;
    applyMessageDelete(list, conversation_id, id);
    // Sending the message updated the conversation's `last_active_at`, although the message is now
    // deleted.
    if (isCreated) requestExact(list, conversation_id);
  } else if (isDeleted(resource)) applyDeletion(list, resource.id);
  else if (isConversation(resource)) applyConversation(list, resource);
  else if (isCreated ?? isNewOwn(list, resource)) applyNewMessage(list, resource);
  else applyMessageUpdate(list, resource);
}

/**
 * Records that the user has read all messages up to `newestId`, if the list expands unread fields.
 */
export function applyRead(list: InboxList, id: string, newestId = ''): void {
  const { changes } = list.live;
  const entry = list.cache.entries.get(id);
  if (!entry || !showsUnread(entry.conversation)) return;
  changes.recordLocalChange(id);
  storeUpdate(list, withMessagesRead(entry, newestId, changes.getTick()));
}

/** Reports whether the user sent the message and it is newer than the known last message. */
const isNewOwn = ({ live, cache }: InboxList, message: Message) =>
  message.contact.id === live.userId &&
  isNewerThanLast(cache.entries.get(message.conversation_id), message);

/** Removes a conversation, or a message of any conversation, by its id. */
function applyDeletion(list: InboxList, id: string) {
  removeConversation(list.cache, id);
  for (const { conversation } of [...list.cache.entries.values()])
    if ([conversation.last_message?.id, conversation.pinned_message_id].includes(id))
      applyMessageDelete(list, conversation.id, id);
}

/**
 * Returns a conversation's last message, without changes in progress: null if it has been deleted
 * or there is none, undefined if it is unknown.
 */
export const getLastMessage = ({ cache }: InboxList, conversationId: string) =>
  cache.entries.get(conversationId)?.conversation.last_message;

const toSnapshot = ({ live, cache }: InboxList): InboxSnapshot => ({
  status: live.status,
  error: live.error,
  conversations: getListed(cache).map(({ conversation }) => toShown(live, conversation)),
  hasMore: cache.end !== undefined,
});

async function refetch(list: InboxList, ids: string[]): Promise<void> {
  const { options, entries, listedIds } = list.cache;
  const isUnlisted = (id: string) => options.isOpen(id) && !listedIds.has(id);
  // Reloading the list would not update open conversations that are cached but not listed.
  const listIds = ids.filter((id) => !(entries.has(id) && isUnlisted(id)));
  const isFullReload = ids.includes(wholeList) || listIds.length > maxSingleRetrievals;
  if (isFullReload) await list.queue(() => loadList(list));
  const singleIds = ids.filter((id) => id !== wholeList && (!isFullReload || isUnlisted(id)));
  await Promise.all(singleIds.map((id) => retrieve(list, id)));
}

async function retrieve(list: InboxList, id: string): Promise<void> {
  const { cache, live, params } = list;
  const { client, changes, signal } = live;
  const since = changes.getTick();
  try {
    const request = { conversation_id: id, expand: params.expand };
    const one = await client.conversations.retrieve(request, { signal });
    if (changes.isDeleted(id) || hasLeftSince(changes, one.group_id, since)) return;
    const entry = cache.entries.get(id);
    const rank = entry?.rank ?? takeTopRank(cache);
    storeUpdate(list, withFetched(entry, one, { changes, since, rank }));
    trimList(cache);
    requestOrder(list, id);
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    removeMissing(list, id);
  }
}

/**
 * Removes a conversation after the API's reply `not_found`. If no event reported its deletion, the
 * user's groups may have changed: the next renewal reloads the lists.
 */
export function removeMissing({ cache, live }: InboxList, id: string): void {
  if (!live.changes.isDeleted(id)) live.session.requireReload();
  removeConversation(cache, id);
}

function applyNewMessage(list: InboxList, message: Message): void {
  const { cache, live } = list;
  const { conversation_id: id } = message;
  const entry = cache.entries.get(id);
  if (!entry) {
    if (!cache.outsideIds.has(id)) requestMissing(list, id);
    return;
  }
  const update = withNewMessage(entry, message, {
    me: live.userId,
    now: live.changes.getTick(),
    top: () => takeTopRank(cache),
  });
  storeUpdate(list, update);
  trimList(cache);
  if (update.state.rank !== entry.rank) requestOrder(list, id);
}

function applyMessageUpdate({ cache }: InboxList, message: Message): void {
  const entry = cache.entries.get(message.conversation_id);
  if (entry) putConversation(cache, withMessageUpdate(entry, message));
}

function applyMessageDelete(list: InboxList, conversationId: string, id: string): void {
  const entry = list.cache.entries.get(conversationId);
  if (entry) storeUpdate(list, withMessageDeleted(entry, id, list.live.changes.getTick()));
}

function applyConversation(list: InboxList, conversation: Conversation): void {
  const { cache } = list;
  const { id } = conversation;
  const entry = cache.entries.get(id);
  if (entry) storeUpdate(list, withConversationUpdate(entry, conversation));
  else if (belongsToList(cache, conversation)) requestMissing(list, id);
  else
    putConversation(cache, {
      conversation,
      rank: 0,
      fetchedAt: Number.NEGATIVE_INFINITY,
      lastCountedId: '',
      lastEventTick: 0,
    });
}
