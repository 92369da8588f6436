import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import type { MessagePosition } from '../../../ids.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import { contactInbox, groupInbox, maxSequence } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import { ConversationItem } from '../items/conversation-item.ts';

/** One sorted partition of conversations, and the index that has it. */
export interface Inbox {
  index: 'gsi1' | 'gsi2';
  partition: string;
}

/**
 * The inboxes that together hold the conversations that the caller takes part in; one that the caller has reached in two
 * ways, as a member and by name, is in two of them.
 */
export const getInboxes = ({ id, groups }: Caller): Inbox[] => [
  { index: 'gsi1', partition: contactInbox(id) },
  { index: 'gsi2', partition: contactInbox(id) },
  ...[...new Set(groups)].map((group): Inbox => ({ index: 'gsi1', partition: groupInbox(group) })),
];

const { id, created_at, last_message_at, message_count } = ConversationItem.entries;

/** What a walk over messages has to know of a conversation, as an index has it: within about a second of what it is. */
export const InboxEntry = v.object({
  id,
  created_at,
  last_message_at,
  message_count,
  activity: v.string(),
});
export type InboxEntry = v.InferOutput<typeof InboxEntry>;
const attributes = Object.keys(InboxEntry.entries).join(', ');

/** No message of the conversation is newer. */
export const toLatestPosition = ({ id, activity }: InboxEntry): MessagePosition => ({
  conversationId: id,
  sequence: maxSequence,
  sentAt: Number(activity.split('#', 1)),
});

const toInboxEntry = (item: Item): InboxEntry => v.parse(InboxEntry, item);

/**
 * Up to `limit` conversations of an inbox, most recently active first: those whose activity key is below `before`, or
 * the first ones without it. `more` says that there may be others after them.
 */
export async function readInbox(
  inbox: Inbox,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ entries: InboxEntry[]; more: boolean }> {
  const page = await queryPage({
    ...toQuery(inbox, before === undefined ? undefined : ['<', before]),
    Limit: limit,
  });
  return { entries: page.items.map(toInboxEntry), more: page.next !== undefined };
}

/**
 * All conversations of an inbox whose activity key is `since` or above it, most recently active first. A page has some
 * thousands of them; `count` is told of how many, and may throw.
 */
export async function readInboxSince(
  inbox: Inbox,
  since: string,
  count: (entries: number) => void,
): Promise<InboxEntry[]> {
  const entries: InboxEntry[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage({ ...toQuery(inbox, ['>=', since]), ExclusiveStartKey: start });
    entries.push(...page.items.map(toInboxEntry));
    start = page.next;
    count(page.items.length);
  } while (start);
  return entries;
}

function toQuery({ index, partition }: Inbox, bound?: ['<' | '>=', string]) {
  const { partition: name, sort } = indexes[index];
  const condition = bound ? ` AND ${sort} ${bound[0]} :bound` : '';
  return {
    IndexName: index,
    KeyConditionExpression: `${name} = :partition${condition}`,
    ExpressionAttributeValues: { ':partition': partition, ...(bound && { ':bound': bound[1] }) },
    ScanIndexForward: false,
    ProjectionExpression: attributes,
  };
}
