import type { Conversation, Message } from '../../generated/types.ts';
import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import type { ChangeTracker } from './change-tracker.ts';
import { getLastActivity, type RankedConversation } from './conversation-order.ts';

/**
 * The known state of one conversation. Functions such as `withNewMessage` return the state after an
 * event or a reply, and do not modify the given state.
 */
export interface CachedConversation extends RankedConversation {
  /** Monotonic time, in milliseconds, at which the conversation was last fetched. */
  readonly fetchedAt: number;
  /** Id of the newest message that `unread_count` takes into account; empty if unknown. */
  readonly lastCountedId: string;
  /** Tick of the last event that the state includes. */
  readonly lastEventTick: number;
}

/** The next state. If `isExact` is false, the conversation must be retrieved again. */
export interface CacheUpdate {
  readonly state: CachedConversation;
  readonly isExact: boolean;
}

/** Reports whether `unread_count` or `mentioned` is expanded. */
export const showsUnread = ({ unread_count, mentioned }: Conversation): boolean =>
  unread_count !== undefined || mentioned !== undefined;

/** Returns the conversation with all messages marked as read. */
export const withoutUnread = (conversation: Conversation): Conversation => ({
  ...conversation,
  ...(conversation.unread_count !== undefined && { unread_count: 0 }),
  ...(conversation.mentioned !== undefined && { mentioned: false }),
});

const maxUnread = 100;
/**
 * Milliseconds after a reply. If a new message arrives within this time, the reply's unread count
 * may already include the message, because the API counts unread messages after it reads the
 * newest message.
 */
const recentFetchMs = 5000;

/** Returns the state after a reply whose request began at tick `since`. */
export function withFetched(
  cached: CachedConversation | undefined,
  fetched: Conversation,
  { changes, since, rank }: { changes: ChangeTracker; since: number; rank: number },
): CacheUpdate {
  const before = cached?.conversation;
  const isChanged = changes.hasChangedSince(fetched.id, since);
  const hasNewEvent = cached !== undefined && cached.lastEventTick > since;
  const conversation: Conversation = {
    ...fetched,
    ...(before && isChanged && withoutExpanded(before)),
  };
  if (before && hasNewEvent && getLastActivity(before) > getLastActivity(conversation))
    conversation.last_active_at = before.last_active_at;
  if (fetched.last_message !== undefined)
    conversation.last_message = getNewestMessage(fetched.last_message, before?.last_message, {
      changes,
      since,
    });
  const countedId = fetched.last_message?.id ?? '';
  if (before && hasNewEvent && cached.lastCountedId > countedId) keepUnread(conversation, before);
  return {
    state: {
      conversation,
      rank,
      fetchedAt: getMonotonicTime(),
      lastCountedId: cached && cached.lastCountedId > countedId ? cached.lastCountedId : countedId,
      lastEventTick: Math.max(since, cached?.lastEventTick ?? 0),
    },
    // The reply may or may not include the events that arrived during the request.
    isExact: !isChanged && !hasNewEvent,
  };
}

/**
 * Keeps a known mention, and the known unread count if it is higher, because the reply may be older
 * than the newest message. With the reply's values, an app would not mark that message as read.
 */
function keepUnread(conversation: Conversation, { unread_count = 0, mentioned }: Conversation) {
  if (conversation.unread_count !== undefined)
    conversation.unread_count = Math.max(conversation.unread_count, unread_count);
  if (conversation.mentioned === false && mentioned) conversation.mentioned = true;
}

function withoutExpanded({
  contact: _,
  last_message: _last,
  unread_count: _count,
  mentioned: _mentioned,
  business: _business,
  assigned_to: _assigned,
  ...conversation
}: Conversation) {
  return conversation;
}

function getNewestMessage(
  received: Message | null,
  cached: Message | null | undefined,
  { changes, since }: { changes: ChangeTracker; since: number },
): Message | null {
  const fetched = received && !changes.isDeleted(received.id) ? received : null;
  if (!cached || changes.isDeleted(cached.id) || !changes.hasChangedSince(cached.id, since))
    return fetched;
  return !fetched || cached.id >= fetched.id ? cached : fetched;
}

export const isNewerThanLast = (cached: CachedConversation | undefined, { id }: Message): boolean =>
  id > (cached?.conversation.last_message?.id ?? '');

/**
 * Returns the state after a new message. `top` returns a rank above those of all other
 * conversations.
 */
export function withNewMessage(
  cached: CachedConversation,
  message: Message,
  { me, now, top }: { me: string | undefined; now: number; top: () => number },
): CacheUpdate {
  const { conversation } = cached;
  const { created_at } = message;
  const isNewest = isNewerThanLast(cached, message);
  const isActive = isNewest && created_at >= getLastActivity(conversation);
  // A late `message.created` may include later changes to the last message.
  const isLast = isNewest || conversation.last_message?.id === message.id;
  const isMine = message.contact.id === me;
  const updatesCount = conversation.unread_count !== undefined && !isMine;
  const isUnread = showsUnread(conversation) && !isMine;
  const isCounted = message.id <= cached.lastCountedId;
  const isMentioned = !isMine && me !== undefined && message.mentions?.includes(me);
  // The user may have read the message in the meantime, or the count of a recent reply may already
  // include it.
  const isOpened = (conversation.last_opened_at ?? 0) >= created_at;
  const isFresh =
    conversation.last_message === undefined ||
    getMonotonicTime() - cached.fetchedAt < recentFetchMs;
  return {
    state: {
      ...cached,
      conversation: {
        ...conversation,
        last_active_at: Math.max(conversation.last_active_at ?? 0, created_at),
        ...(conversation.last_message !== undefined && isLast && { last_message: message }),
        ...(updatesCount &&
          !isCounted && {
            unread_count: Math.min(maxUnread, (conversation.unread_count ?? 0) + 1),
          }),
        ...(conversation.mentioned !== undefined && isMentioned && { mentioned: true }),
      },
      rank: isActive ? top() : cached.rank,
      lastCountedId: isCounted ? cached.lastCountedId : message.id,
      lastEventTick: now,
    },
    isExact: !(isUnread && (isCounted || isOpened || isFresh || me === undefined)),
  };
}

/** Returns the state after a message was changed. */
export const withMessageUpdate = (
  cached: CachedConversation,
  message: Message,
): CachedConversation =>
  cached.conversation.last_message?.id === message.id
    ? { ...cached, conversation: { ...cached.conversation, last_message: message } }
    : cached;

/** Returns the state after a message was deleted. */
export function withMessageDeleted(
  cached: CachedConversation,
  messageId: string,
  now: number,
): CacheUpdate {
  const { conversation } = cached;
  const isLast = conversation.last_message?.id === messageId;
  const isPinned = conversation.pinned_message_id === messageId;
  return {
    state: {
      ...cached,
      conversation: {
        ...conversation,
        ...(isLast && { last_message: null }),
        ...(isPinned && { pinned_message_id: null }),
      },
      lastEventTick: now,
    },
    isExact: !isLast && !conversation.unread_count,
  };
}

const ownFields = ['last_opened_at', 'is_pinned', 'is_muted', 'archived_at'] as const;

/** Returns the state after fields of the conversation changed. Keeps expanded fields. */
export function withConversationUpdate(
  cached: CachedConversation,
  update: Conversation,
): CacheUpdate {
  const { conversation } = cached;
  const { last_active_at, unread_count = maxUnread } = conversation;
  const showsNoChange =
    conversation.pinned_message_id === update.pinned_message_id &&
    ownFields.every((name) => conversation[name] === update[name]);
  return {
    state: {
      ...cached,
      conversation: {
        ...conversation,
        ...update,
        last_active_at:
          last_active_at === null
            ? update.last_active_at
            : Math.max(last_active_at, update.last_active_at ?? 0),
      },
    },
    // Another device may have opened the conversation. If the event changes no field, another
    // device may have marked messages as unread.
    isExact: !(
      // Events lack the assignment, which only conversations with businesses have.
      (conversation.assigned_to !== undefined && conversation.group_id?.startsWith('business:')) ||
      (update.last_opened_at && showsUnread(conversation) && (unread_count > 0 || showsNoChange))
    ),
  };
}

/** Returns the state after this client has marked all messages up to `newest` as read. */
export function withMessagesRead(
  cached: CachedConversation,
  newest: string,
  now: number,
): CacheUpdate {
  if (cached.lastCountedId > newest) return { state: cached, isExact: false };
  const conversation = withoutUnread(cached.conversation);
  return {
    state: { ...cached, conversation, lastCountedId: newest, lastEventTick: now },
    isExact: true,
  };
}
