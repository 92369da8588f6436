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

/** Maximum inbox entries read per request: a dozen pages of a megabyte. */
const maxEntries = 50_000;
const maxPageSize = 1000;

interface SeenConversations {
  conversations: Set<string>;
  /** Counts inbox entries read. Throws `too_many_conversations` above the maximum. */
  count(entries: number): void;
}

/**
 * Returns the first messages of a walk over all the caller's conversations; fewer than `count` only
 * at the end. Reads the conversations active since the start and, of the rest, only those that may
 * supply a message. Does not mark messages as read. Throws `too_many_conversations`.
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

/** Minimum inboxes opened at first. Opens more if more inboxes may have the next message. */
const minOpened = 10;

/**
 * Returns the bound of an inbox on the walk; `undefined` if a walk to newer messages starts after
 * the inbox's last activity.
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
 * Reads a page of an inbox, then the conversations active since `since`. Returns sources for the
 * unseen conversations, and one for the next page. If a conversation becomes active between the two
 * reads, at least one of the reads returns the conversation.
 */
async function openInbox(
  walk: Walk,
  inbox: Inbox,
  { before, since, limit }: InboxRange,
  seen: SeenConversations,
): Promise<ReadResult> {
  const nothing = { entries: [], more: false };
  const page = walk.direction === 'older' ? await readInbox(inbox, { before, limit }) : nothing;
  seen.count(page.entries.length);
  const active = since === undefined ? [] : await readInboxSince(inbox, since, seen.count);
  const entries = [...active, ...page.entries];
  const [top, last] = [entries[0], page.entries.at(-1)];
  const sources = entries.filter(isNew(seen)).flatMap((entry) => createMessageSources(walk, entry));
  if (!page.more || !top || !last) return { messages: [], sources };
  const further = {
    before: last.activity,
    since: top.activity,
    limit: Math.min(pageGrowth * limit, maxPageSize),
  };
  const rest = {
    bound: toLatestPosition(last),
    read: () => openInbox(walk, inbox, further, seen),
  };
  return { messages: [], sources: [...sources, rest] };
}

/** Reports whether a conversation has messages and was not seen before, and marks it as seen. */
const isNew =
  ({ conversations }: SeenConversations) =>
  ({ id, message_count }: InboxEntry): boolean => {
    if (message_count === 0 || conversations.has(id)) return false;
    conversations.add(id);
    return true;
  };
