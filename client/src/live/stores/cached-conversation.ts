import type { Conversation, Message } from '../../generated/types.ts';
import { getMonotonicTime } from '../../monotonic-clock.ts';
import type { ChangeTracker } from './change-tracker.ts';
import { getLastActivity, type RankedConversation } from './conversation-order.ts';

/**
 * What is known of one conversation. The functions below say what each news makes of it; they ask for nothing and keep
 * nothing.
 */
export interface CachedConversation extends RankedConversation {
  /** When the API has told it whole, in milliseconds. */
  readonly fetchedAt: number;
  /** The newest message that `unread_count` takes into account; empty where that cannot be told. */
  readonly lastCountedId: string;
  /** It has all messages that were heard of until that moment. */
  readonly lastEventTick: number;
}

/** What is held from now on. Where that is not sure, the API is to be asked for it once more. */
export interface CacheUpdate {
  readonly one: CachedConversation;
  readonly isExact: boolean;
}

const maxUnread = 100;
/**
 * Milliseconds. The API counts after it has looked for the newest message: one that came between is counted already, which a
 * message that is heard so soon after a reply may be.
 */
const recentFetchMs = 5000;

/** The API has told it, by a request that began at the moment `since`: beside what was heard meanwhile. */
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
  return {
    one: {
      conversation,
      rank,
      fetchedAt: getMonotonicTime(),
      lastCountedId: had && had.lastCountedId > counted ? had.lastCountedId : counted,
      lastEventTick: Math.max(since, had?.lastEventTick ?? 0),
    },
    // Whether the reply has what was heard meanwhile nobody can tell.
    isExact: !isChanged && !isHeard,
  };
}

/** A conversation without what it brings along. */
function withoutExpanded({
  contact: _,
  last_message: _last,
  unread_count: _count,
  ...conversation
}: Conversation) {
  return conversation;
}

function getNewestMessage(
  one: Message | null,
  had: Message | null | undefined,
  { changes: know, since }: { changes: ChangeTracker; since: number },
): Message | null {
  const isTold = one && !know.isDeleted(one.id) ? one : null;
  if (!had || know.isDeleted(had.id) || !know.hasChangedSince(had.id, since)) return isTold;
  return !isTold || had.id >= isTold.id ? had : isTold;
}

export const isNewerThanLast = (held: CachedConversation | undefined, { id }: Message): boolean =>
  id > (held?.conversation.last_message?.id ?? '');

/** A message has come, now. Where that makes it the most recently active one, `top` gives its rank. */
export function withNewMessage(
  had: CachedConversation,
  message: Message,
  { me, now, top }: { me: string | undefined; now: number; top: () => number },
): CacheUpdate {
  const { conversation } = had;
  const { created_at } = message;
  const isNewest = isNewerThanLast(had, message);
  const isActive = isNewest && created_at >= getLastActivity(conversation);
  // What a feed tells late of its coming shows it as it is by then: with what has changed since.
  const isLast = isNewest || conversation.last_message?.id === message.id;
  const isMine = message.contact.id === me;
  const counts = conversation.unread_count !== undefined && !isMine;
  const isCounted = message.id <= had.lastCountedId;
  // Opened since, it may have been read; told a moment ago, it may have been counted, which only the last message could tell.
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
      },
      rank: isActive ? top() : had.rank,
      lastCountedId: isCounted ? had.lastCountedId : message.id,
      lastEventTick: now,
    },
    isExact: !(counts && (isCounted || isOpened || isFresh || me === undefined)),
  };
}

/** A message has changed. */
export const withMessageUpdate = (had: CachedConversation, message: Message): CachedConversation =>
  had.conversation.last_message?.id === message.id
    ? { ...had, conversation: { ...had.conversation, last_message: message } }
    : had;

/** A message is deleted, which was heard now. */
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

/** The conversation itself has changed, its flags or its pin: an event or a reply tells it, without what it brings along. */
export function withConversationUpdate(had: CachedConversation, one: Conversation): CacheUpdate {
  const { conversation } = had;
  const { last_active_at } = conversation;
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
    // It may have been opened on another device.
    isExact: !(conversation.unread_count && one.last_opened_at),
  };
}

/** All messages up to that one have been read from here, now. */
export function withMessagesRead(
  had: CachedConversation,
  newest: string,
  now: number,
): CacheUpdate {
  if (had.lastCountedId > newest) return { one: had, isExact: false };
  const conversation = { ...had.conversation, unread_count: 0 };
  return {
    one: { ...had, conversation, lastCountedId: newest, lastEventTick: now },
    isExact: true,
  };
}
