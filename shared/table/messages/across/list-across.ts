import { ApiError } from '../../../errors.ts';
import {
  getInboxes,
  type Inbox,
  type InboxEntry,
  readInbox,
  readInboxSince,
  toLatestPosition,
} from '../../conversations/query/read-inbox.ts';
import { toActivitySortKey } from '../../keys/keys.ts';
import type { MessageItem } from '../log/message-item.ts';
import { collectMessages, type ReadResult, type Walk } from './collect-messages.ts';
import { createMessageSources } from './message-sources.ts';

/** How many conversations the inboxes of one request may give: a dozen pages of a megabyte. */
const maxEntries = 50_000;
/** Pages of an inbox grow, so that those with nothing to show are passed by soon. */
const pageGrowth = 4;
const maxPageSize = 1000;
/** However many inboxes share a page, one of them may have most of it. */
const minPageSize = 11;

/** What all inboxes have given so far. */
interface SeenConversations {
  conversations: Set<string>;
  /** Counts what was read. Throws `too_many_conversations`. */
  count(entries: number): void;
}

/**
 * The first messages of a walk over all conversations that the caller takes part in, in the walk's order, fewer only where
 * the list ends. Of the conversations it opens those that were active since its start, and of the others, by their
 * activity, no more than may have a message among those wanted. Marks nothing as read. Throws `too_many_conversations`.
 */
export async function listMessagesAcross(walk: Walk): Promise<MessageItem[]> {
  const { start, count } = walk;
  const since = start && toActivitySortKey(start.sentAt, start.conversationId);
  const inboxes = getInboxes(walk.caller);
  const limit = Math.min(
    count,
    Math.max(minPageSize, Math.ceil((pageGrowth * count) / inboxes.length)),
  );
  const seen = createSeenConversations();
  const opened = await Promise.all(
    inboxes.map((inbox) => openInbox(walk, inbox, { since, before: since, limit }, seen)),
  );
  return collectMessages(
    walk,
    opened.flatMap(({ sources }) => sources),
  );
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
 * The conversations of one inbox that were not met yet. What may be older than the start comes a page at a time, each
 * time with what has been active `since`: it is read after the page, so that a conversation that moves up between the two
 * is met in one of them.
 */
async function openInbox(
  walk: Walk,
  inbox: Inbox,
  { before, since, limit }: InboxRange,
  seen: SeenConversations,
): Promise<ReadResult> {
  const page =
    walk.direction === 'older'
      ? await readInbox(inbox, { before, limit })
      : { entries: [], more: false };
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

/** Has had messages, and has not been met before, in this inbox or in another one. */
const isNew =
  ({ conversations }: SeenConversations) =>
  ({ id, message_count }: InboxEntry): boolean => {
    if (message_count === 0 || conversations.has(id)) return false;
    conversations.add(id);
    return true;
  };
