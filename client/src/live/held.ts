import type { Conversation, Message } from '../generated/types.ts';
import type { Knowledge } from './knowledge.ts';
import { activeAt, type Ordered } from './order.ts';

/**
 * What is known of one conversation. The functions below say what each news makes of it; they ask for nothing and keep
 * nothing.
 */
export interface Held extends Ordered {
  /** When the API has told it whole, in milliseconds. */
  readonly toldAt: number;
  /** The newest message that `unread_count` takes into account; empty where that cannot be told. */
  readonly counted: string;
  /** It has all messages that were heard of until that moment. */
  readonly asOf: number;
}

/** What is held from now on. Where that is not sure, the API is to be asked for it once more. */
export interface Next {
  readonly one: Held;
  readonly isSure: boolean;
}

const mostUnread = 100;
/**
 * Milliseconds. The API counts after it has looked for the newest message: one that came between is counted already, which a
 * message that is heard so soon after a reply may be.
 */
const unsure = 5000;

/** The API has told it, by a request that began at the moment `since`: beside what was heard meanwhile. */
export function told(
  had: Held | undefined,
  one: Conversation,
  { know, since, rank }: { know: Knowledge; since: number; rank: number },
): Next {
  const before = had?.conversation;
  const isChanged = know.isOlder(one.id, since);
  const isHeard = had !== undefined && had.asOf > since;
  const conversation: Conversation = {
    ...one,
    ...(before && isChanged && bare(before)),
  };
  if (before && isHeard && activeAt(before) > activeAt(conversation))
    conversation.last_active_at = before.last_active_at;
  if (one.last_message !== undefined)
    conversation.last_message = newestOf(one.last_message, before?.last_message, { know, since });
  const counted = one.last_message?.id ?? '';
  return {
    one: {
      conversation,
      rank,
      toldAt: Date.now(),
      counted: had && had.counted > counted ? had.counted : counted,
      asOf: Math.max(since, had?.asOf ?? 0),
    },
    // Whether the reply has what was heard meanwhile nobody can tell.
    isSure: !isChanged && !isHeard,
  };
}

/** A conversation without what it brings along. */
function bare({
  contact: _,
  last_message: _last,
  unread_count: _count,
  ...conversation
}: Conversation) {
  return conversation;
}

function newestOf(
  one: Message | null,
  had: Message | null | undefined,
  { know, since }: { know: Knowledge; since: number },
): Message | null {
  const isTold = one && !know.isGone(one.id) ? one : null;
  if (!had || know.isGone(had.id) || !know.isOlder(had.id, since)) return isTold;
  return !isTold || had.id >= isTold.id ? had : isTold;
}

export const isNewestIn = (held: Held | undefined, { id }: Message): boolean =>
  id > (held?.conversation.last_message?.id ?? '');

/** A message has come, now. Where that makes it the most recently active one, `top` gives its rank. */
export function messageCame(
  had: Held,
  message: Message,
  { me, now, top }: { me: string | undefined; now: number; top: () => number },
): Next {
  const { conversation } = had;
  const { created_at } = message;
  const isNewest = isNewestIn(had, message);
  const isActive = isNewest && created_at >= activeAt(conversation);
  // What a feed tells late of its coming shows it as it is by then: with what has changed since.
  const isLast = isNewest || conversation.last_message?.id === message.id;
  const isMine = message.contact.id === me;
  const counts = conversation.unread_count !== undefined && !isMine;
  const isCounted = message.id <= had.counted;
  // Opened since, it may have been read; told a moment ago, it may have been counted, which only the last message could tell.
  const isOpened = (conversation.last_opened_at ?? 0) >= created_at;
  const isFresh = conversation.last_message === undefined || Date.now() - had.toldAt < unsure;
  return {
    one: {
      ...had,
      conversation: {
        ...conversation,
        last_active_at: Math.max(conversation.last_active_at ?? 0, created_at),
        ...(conversation.last_message !== undefined && isLast && { last_message: message }),
        ...(counts &&
          !isCounted && {
            unread_count: Math.min(mostUnread, (conversation.unread_count ?? 0) + 1),
          }),
      },
      rank: isActive ? top() : had.rank,
      counted: isCounted ? had.counted : message.id,
      asOf: now,
    },
    isSure: !(counts && (isCounted || isOpened || isFresh || me === undefined)),
  };
}

/** A message has changed. */
export const messageChanged = (had: Held, message: Message): Held =>
  had.conversation.last_message?.id === message.id
    ? { ...had, conversation: { ...had.conversation, last_message: message } }
    : had;

/** A message is deleted, which was heard now. */
export function messageLost(had: Held, messageId: string, now: number): Next {
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
      asOf: now,
    },
    isSure: !isLast && !conversation.unread_count,
  };
}

/** The conversation itself has changed, its flags or its pin: an event or a reply tells it, without what it brings along. */
export function conversationChanged(had: Held, one: Conversation): Next {
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
    isSure: !(conversation.unread_count && one.last_opened_at),
  };
}

/** All messages up to that one have been read from here, now. */
export function opened(had: Held, newest: string, now: number): Next {
  if (had.counted > newest) return { one: had, isSure: false };
  const conversation = { ...had.conversation, unread_count: 0 };
  return { one: { ...had, conversation, counted: newest, asOf: now }, isSure: true };
}
