import type { Conversation, Message } from '../../generated/types.ts';
import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import type { ChangeTracker } from './change-tracker.ts';
import { getLastActivity, type RankedConversation } from './conversation-order.ts';

/**
 * The known state of one conversation. The functions below do not modify it: each returns the state
 * after an event or a reply.
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
  readonly one: CachedConversation;
  readonly isExact: boolean;
}

/** Reports whether the list expands `unread_count` or `mentioned`. */
export const showsUnread = ({ unread_count, mentioned }: Conversation): boolean =>
  unread_count !== undefined || mentioned !== undefined;

/** Returns the conversation as fully read. */
export const withoutUnread = (conversation: Conversation): Conversation => ({
  ...conversation,
  ...(conversation.unread_count !== undefined && { unread_count: 0 }),
  ...(conversation.mentioned !== undefined && { mentioned: false }),
});

const maxUnread = 100;
/**
 * Milliseconds after a reply during which its unread count may already include a new message,
 * because the API counts after it has read the newest message.
 */
const recentFetchMs = 5000;

/** Returns the state after a reply whose request began at tick `since`. */
export function withFetched(
  had: CachedConversation | undefined,
  one: Conversation,
  { changes: know, since, rank }: { changes: ChangeTracker; since: number; rank: number },
): CacheUpdate {
  const before = had?.conversation;
  const isChanged = know.hasChangedSince(one.id, since);
  const isHeard = had !== undefined && had.lastEventTick > since;
  const conversation: Conversation = {
    ...one,
    ...(before && isChanged && withoutExpanded(before)),
  };
  if (before && isHeard && getLastActivity(before) > getLastActivity(conversation))
    conversation.last_active_at = before.last_active_at;
  if (one.last_message !== undefined)
    conversation.last_message = getNewestMessage(one.last_message, before?.last_message, {
      changes: know,
      since,
    });
  const counted = one.last_message?.id ?? '';
  if (before && isHeard && had.lastCountedId > counted) keepUnread(conversation, before);
  return {
    one: {
      conversation,
      rank,
      fetchedAt: getMonotonicTime(),
      lastCountedId: had && had.lastCountedId > counted ? had.lastCountedId : counted,
      lastEventTick: Math.max(since, had?.lastEventTick ?? 0),
    },
    // The reply may or may not include the events that arrived during the request.
    isExact: !isChanged && !isHeard,
  };
}

/**
 * Keeps the known unread count and mention, because the reply may be older than the newest message.
 * With the reply's values, an app would not mark that message as read.
 */
function keepUnread(conversation: Conversation, { unread_count = 0, mentioned }: Conversation) {
  if (conversation.unread_count !== undefined)
    conversation.unread_count = Math.max(conversation.unread_count, unread_count);
  if (conversation.mentioned === false && mentioned) conversation.mentioned = true;
}

/** Returns a conversation without its expanded fields. */
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
  one: Message | null,
  had: Message | null | undefined,
  { changes: know, since }: { changes: ChangeTracker; since: number },
): Message | null {
  const fetched = one && !know.isDeleted(one.id) ? one : null;
  if (!had || know.isDeleted(had.id) || !know.hasChangedSince(had.id, since)) return fetched;
  return !fetched || had.id >= fetched.id ? had : fetched;
}

export const isNewerThanLast = (held: CachedConversation | undefined, { id }: Message): boolean =>
  id > (held?.conversation.last_message?.id ?? '');

/**
 * Returns the state after a new message. `top` returns a rank above those of all other
 * conversations.
 */
export function withNewMessage(
  had: CachedConversation,
  message: Message,
  { me, now, top }: { me: string | undefined; now: number; top: () => number },
): CacheUpdate {
  const { conversation } = had;
  const { created_at } = message;
  const isNewest = isNewerThanLast(had, message);
  const isActive = isNewest && created_at >= getLastActivity(conversation);
  // A late `message.created` may include later changes to the last message.
  const isLast = isNewest || conversation.last_message?.id === message.id;
  const isMine = message.contact.id === me;
  const counts = conversation.unread_count !== undefined && !isMine;
  const isUnread = showsUnread(conversation) && !isMine;
  const isCounted = message.id <= had.lastCountedId;
  const isMentioned = !isMine && me !== undefined && message.mentions?.includes(me);
  // The user may have read the message in the meantime, or a recent reply may already count it.
  const isOpened = (conversation.last_opened_at ?? 0) >= created_at;
  const isFresh =
    conversation.last_message === undefined || getMonotonicTime() - had.fetchedAt < recentFetchMs;
  return {
    one: {
      ...had,
      conversation: {
        ...conversation,
        last_active_at: Math.max(conversation.last_active_at ?? 0, created_at),
        ...(conversation.last_message !== undefined && isLast && { last_message: message }),
        ...(counts &&
          !isCounted && {
            unread_count: Math.min(maxUnread, (conversation.unread_count ?? 0) + 1),
          }),
        ...(conversation.mentioned !== undefined && isMentioned && { mentioned: true }),
      },
      rank: isActive ? top() : had.rank,
      lastCountedId: isCounted ? had.lastCountedId : message.id,
      lastEventTick: now,
    },
    isExact: !(isUnread && (isCounted || isOpened || isFresh || me === undefined)),
  };
}

/** Returns the state after a message was changed. */
export const withMessageUpdate = (had: CachedConversation, message: Message): CachedConversation =>
  had.conversation.last_message?.id === message.id
    ? { ...had, conversation: { ...had.conversation, last_message: message } }
    : had;

/** Returns the state after a message was deleted. */
export function withMessageDeleted(
  had: CachedConversation,
  messageId: string,
  now: number,
): CacheUpdate {
  const { conversation } = had;
  const isLast = conversation.last_message?.id === messageId;
  const isPinned = conversation.pinned_message_id === messageId;
  return {
    one: {
      ...had,
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
export function withConversationUpdate(had: CachedConversation, one: Conversation): CacheUpdate {
  const { conversation } = had;
  const { last_active_at, unread_count = maxUnread } = conversation;
  const showsNoChange =
    conversation.pinned_message_id === one.pinned_message_id &&
    ownFields.every((name) => conversation[name] === one[name]);
  return {
    one: {
      ...had,
      conversation: {
        ...conversation,
        ...one,
        last_active_at:
          last_active_at === null
            ? one.last_active_at
            : Math.max(last_active_at, one.last_active_at ?? 0),
      },
    },
    // Another device may have opened the conversation. If the event changes no field, another
    // device may have marked messages as unread.
    isExact: !(
      // Events lack the assignment, which only conversations with businesses have.
      (conversation.assigned_to !== undefined && conversation.group_id?.startsWith('business:')) ||
      (one.last_opened_at && showsUnread(conversation) && (unread_count > 0 || showsNoChange))
    ),
  };
}

/** Returns the state after this client has marked all messages up to `newest` as read. */
export function withMessagesRead(
  had: CachedConversation,
  newest: string,
  now: number,
): CacheUpdate {
  if (had.lastCountedId > newest) return { one: had, isExact: false };
  const conversation = withoutUnread(had.conversation);
  return {
    one: { ...had, conversation, lastCountedId: newest, lastEventTick: now },
    isExact: true,
  };
}
