import { ApiError } from '../../../api-error.ts';
import type { MessagePosition } from '../../../ids.ts';
import { getFirstPageSize, pageGrowth } from '../../calls/merge-sources.ts';
import {
  getInboxes,
  type Inbox,
  type InboxEntry,
  readInbox,
  readInboxSince,
  toLatestPosition,
} from '../../conversations/query/read-inbox.ts';
import { maxSequence, toActivitySortKey } from '../../keys/keys.ts';
import type { MessageItem } from '../log/message-item.ts';
import {
  collectMessages,
  type MessageSource,
  type ReadResult,
  type Walk,
} from './collect-messages.ts';
import { newestFirst } from './message-order.ts';
import { createMessageSources } from './message-sources.ts';

/** Maximum number of inbox entries that a request reads: about twelve one-megabyte pages. */
const maxEntries = 50_000;
const maxPageSize = 1000;

interface SeenConversations {
  conversations: Set<string>;
  /**
   * Adds `entries` to the number of entries read. Throws `too_many_conversations` if the sum
   * exceeds `maxEntries`.
   */
  count(entries: number): void;
}

/**
 * Returns the first `count` messages of a walk across the caller's conversations, or all if there
 * are fewer. Reads the conversations that have been active since the walk's start, and other
 * conversations that may contain one of these messages. Does not mark messages as read. Throws
 * `too_many_conversations`.
 */
export async function listMessagesAcross(walk: Walk): Promise<MessageItem[]> {
  const { start, count } = walk;
  const since = start && toActivitySortKey(start.sentAt, start.conversationId);
  const inboxes = await getInboxes(walk.caller);
  const range = { since, before: since, limit: getFirstPageSize(count, inboxes.length) };
  const seen = createSeenConversations();
  const unopened = inboxes
    .flatMap((inbox) => {
      const bound = getBound(walk, inbox);
      return bound ? { bound, read: () => openInbox(walk, inbox, range, seen) } : [];
    })
    .sort((one, other) => newestFirst(one.bound, other.bound));
  const isNext = ({ bound }: MessageSource) =>
    newestFirst(bound, unopened[0]?.bound ?? bound) === 0;
  const opened = Math.max(minOpened, unopened.findLastIndex(isNext) + 1);
  const results = await Promise.all(unopened.slice(0, opened).map(({ read }) => read()));
  const sources = results.flatMap((one) => one.sources);
  return collectMessages(walk, [...sources, ...unopened.slice(opened)]);
}

/**
 * Minimum number of inboxes to open first. Further inboxes are opened if they may have the next
 * message.
 */
const minOpened = 10;

/**
 * Returns an inbox's bound; `undefined` if the walk goes to newer messages and starts after the
 * inbox's last activity.
 */
function getBound({ start, direction }: Walk, inbox: Inbox): MessagePosition | undefined {
  const { activeUntil = Number.POSITIVE_INFINITY } = inbox;
  const latest = { conversationId: '~', sequence: maxSequence, sentAt: activeUntil };
  if (!start) return latest;
  if (newestFirst(latest, start) <= 0) return start;
  return direction === 'older' ? latest : undefined;
}

function createSeenConversations(): SeenConversations {
  let read = 0;
  return {
    conversations: new Set(),
    count: (entries) => {
      read += entries;
      if (read > maxEntries) throw new ApiError('too_many_conversations');
    },
  };
}

interface InboxRange {
  before: string | undefined;
  since: string | undefined;
  limit: number;
}

/**
 * Reads a page of an inbox, then the conversations with activity since `since`. Returns a source
 * for each unseen conversation, and one for the next page. A conversation that becomes active
 * between the reads appears in at least one of them.
 */
async function openInbox(
  walk: Walk,
  inbox: Inbox,
  { before, since, limit }: InboxRange,
  seen: SeenConversations,
): Promise<ReadResult> {
  const emptyPage = { entries: [], hasMore: false };
  const page = walk.direction === 'older' ? await readInbox(inbox, { before, limit }) : emptyPage;
  seen.count(page.entries.length);
  const active = since === undefined ? [] : await readInboxSince(inbox, since, seen.count);
  const entries = [...active, ...page.entries];
  const [top, last] = [entries[0], page.entries.at(-1)];
  const sources = entries.filter(isNew(seen)).flatMap((entry) => createMessageSources(walk, entry));
  if (!page.hasMore || !top || !last) return { messages: [], sources };
  const nextRange = {
    before: last.activity,
    since: top.activity,
    limit: Math.min(pageGrowth * limit, maxPageSize),
  };
  const nextPageSource = {
    bound: toLatestPosition(last),
    read: () => openInbox(walk, inbox, nextRange, seen),
  };
  return { messages: [], sources: [...sources, nextPageSource] };
}

/** Reports whether a conversation has messages and is unseen; if so, marks it as seen. */
const isNew =
  ({ conversations }: SeenConversations) =>
  ({ id, message_count }: InboxEntry): boolean => {
    if (message_count === 0 || conversations.has(id)) return false;
    conversations.add(id);
    return true;
  };
