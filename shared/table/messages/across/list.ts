import { ApiError } from '../../../errors.ts';
import {
  type Inbox,
  type InboxEntry,
  inboxesOf,
  latestPosition,
  readInbox,
  readInboxSince,
} from '../../conversations/inbox.ts';
import { activity } from '../../keys/keys.ts';
import type { MessageItem } from '../items.ts';
import { locate } from './locate.ts';
import { firstMessages, type Given, type Walk } from './walk.ts';

/** How many conversations the inboxes of one request may give: a dozen pages of a megabyte. */
const mostEntries = 50_000;
/** Pages of an inbox grow, so that those with nothing to show are passed by soon. */
const growth = 4;
const largestPage = 1000;
/** However many inboxes share a page, one of them may have most of it. */
const leastPage = 11;

/** What all inboxes have given so far. */
interface Met {
  conversations: Set<string>;
  /** Counts what was read. Throws `too_many_conversations`. */
  count(entries: number): void;
}

/**
 * The first messages of a walk over all conversations that the caller takes part in, in the walk's order, fewer only where
 * the list ends. Of the conversations it opens those that were active since its start, and of the others, by their
 * activity, no more than may have a message among those wanted. Marks nothing as read. Throws `too_many_conversations`.
 */
export async function messagesAcross(walk: Walk): Promise<MessageItem[]> {
  const { start, count } = walk;
  const since = start && activity(start.sentAt, start.conversationId);
  const inboxes = inboxesOf(walk.caller);
  const limit = Math.min(count, Math.max(leastPage, Math.ceil((growth * count) / inboxes.length)));
  const met = nothingYet();
  const given = await Promise.all(
    inboxes.map((inbox) => openInbox(walk, inbox, { since, before: since, limit }, met)),
  );
  return firstMessages(
    walk,
    given.flatMap(({ sources }) => sources),
  );
}

function nothingYet(): Met {
  let read = 0;
  return {
    conversations: new Set(),
    count: (entries) => {
      read += entries;
      if (read > mostEntries) throw new ApiError('too_many_conversations');
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
  met: Met,
): Promise<Given> {
  const page =
    walk.direction === 'older'
      ? await readInbox(inbox, { before, limit })
      : { entries: [], more: false };
  met.count(page.entries.length);
  const active = since === undefined ? [] : await readInboxSince(inbox, since, met.count);
  const entries = [...active, ...page.entries];
  const [top, last] = [entries[0], page.entries.at(-1)];
  const sources = entries.filter(isNew(met)).flatMap((entry) => locate(walk, entry));
  if (!page.more || !top || !last) return { messages: [], sources };
  const further = {
    before: last.activity,
    since: top.activity,
    limit: Math.min(growth * limit, largestPage),
  };
  const rest = {
    bound: latestPosition(last),
    read: () => openInbox(walk, inbox, further, met),
  };
  return { messages: [], sources: [...sources, rest] };
}

/** Has had messages, and has not been met before, in this inbox or in another one. */
const isNew =
  ({ conversations }: Met) =>
  ({ id, message_count }: InboxEntry): boolean => {
    if (message_count === 0 || conversations.has(id)) return false;
    conversations.add(id);
    return true;
  };
