import {
  type Inbox,
  type InboxEntry,
  inboxesOf,
  latestPosition,
  readInbox,
  readInboxSince,
} from './inbox.ts';
import { activity } from './keys.ts';
import { logSource } from './log-source.ts';
import type { MessageItem } from './message-items.ts';
import { firstMessages, type Given, type Walk } from './message-walk.ts';

/**
 * The first messages of a walk over all conversations that the caller takes part in, in the walk's order, fewer only where
 * the list ends. Of the conversations it opens those that were active since its start, and of the others, by their
 * activity, no more than may have a message among those wanted. Marks nothing as read.
 */
export async function messagesAcross(walk: Walk): Promise<MessageItem[]> {
  const { start } = walk;
  const since = start && activity(start.sentAt, start.conversationId);
  const known = new Set<string>();
  const given = await Promise.all(
    inboxesOf(walk.caller).map((inbox) => openInbox(walk, inbox, { since, before: since }, known)),
  );
  return firstMessages(
    walk,
    given.flatMap(({ sources }) => sources),
  );
}

/**
 * The conversations of one inbox that are not `known` yet. What may be older than the start comes a page at a time, each
 * time with what has been active `since`: it is read after the page, so that a conversation that moves up between the two
 * is met in one of them.
 */
async function openInbox(
  walk: Walk,
  inbox: Inbox,
  { before, since }: { before: string | undefined; since: string | undefined },
  known: Set<string>,
): Promise<Given> {
  const page =
    walk.direction === 'older'
      ? await readInbox(inbox, { before, limit: walk.count })
      : { entries: [], more: false };
  const active = since === undefined ? [] : await readInboxSince(inbox, since);
  const entries = [...active, ...page.entries];
  const [top, last] = [entries[0], page.entries.at(-1)];
  const sources = entries.filter(isNew(walk, known)).map((entry) => logSource(walk, entry));
  if (!page.more || !top || !last) return { messages: [], sources };
  const further = { before: last.activity, since: top.activity };
  const rest = {
    bound: latestPosition(last),
    read: () => openInbox(walk, inbox, further, known),
  };
  return { messages: [], sources: [...sources, rest] };
}

/** Has messages for the walk, and has not been met before, in this inbox or in another one. */
const isNew =
  ({ direction, start }: Walk, known: Set<string>) =>
  ({ id, message_count }: InboxEntry): boolean => {
    const passed = direction === 'newer' && start?.conversationId === id ? start.sequence : 0;
    if (message_count <= passed || known.has(id)) return false;
    known.add(id);
    return true;
  };
