import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import type { MessagePosition } from '../../../ids.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import { type DeriveBound, getGroupBounds } from '../../group-heads.ts';
import { contactInboxPartition, groupInboxPartition, maxSequence } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import { ConversationItem } from '../items/conversation-item.ts';

export interface Inbox {
  index: 'gsi1' | 'gsi2';
  partition: string;
  /** Upper bound of the last activity's time, in Unix milliseconds; `undefined` if unknown. */
  activeUntil?: number | undefined;
}

/**
 * Returns the caller's inboxes, except the inboxes of groups known to have no conversation. A
 * conversation may be in two inboxes: the inbox of its group and the inbox of its named contact.
 */
export async function getInboxes(caller: Caller, derive?: DeriveBound): Promise<Inbox[]> {
  return [...getOwnInboxes(caller), ...(await getGroupInboxes(caller.groups, derive))];
}

export const getOwnInboxes = ({ id }: Caller): Inbox[] => [
  { index: 'gsi1', partition: contactInboxPartition(id) },
  { index: 'gsi2', partition: contactInboxPartition(id) },
];

/** Returns the inboxes of the groups, except groups known to have no conversation. */
export async function getGroupInboxes(
  groups: readonly string[],
  derive?: DeriveBound,
): Promise<Inbox[]> {
  const getActiveUntil = await getGroupBounds(groups, 'active_until', derive);
  return groups
    .map((group) => ({ ...getGroupInbox(group), activeUntil: getActiveUntil(group) }))
    .filter(({ activeUntil }) => activeUntil !== 0);
}

export const getGroupInbox = (group: string): Inbox => ({
  index: 'gsi1',
  partition: groupInboxPartition(group),
});

/** Milliseconds after which a request has ended and the index shows its writes. */
const settledMilliseconds = 60_000;

/**
 * Returns the time of a group's last activity in milliseconds; 0 if there was none, `undefined` if
 * it was less than a minute ago.
 */
export async function deriveActiveUntil(group: string): Promise<number | undefined> {
  const { entries } = await readInbox(getGroupInbox(group), { before: undefined, limit: 1 });
  const [newest] = entries;
  const activeAt = newest ? toLatestPosition(newest).sentAt : 0;
  return activeAt + settledMilliseconds < clock.now() ? activeAt : undefined;
}

const { id, created_at, last_message_at, message_count } = ConversationItem.entries;

/** Conversation attributes for listing messages. The values may be about a second old. */
export const InboxEntry = v.object({
  id,
  created_at,
  last_message_at,
  message_count,
  activity: v.string(),
});
export type InboxEntry = v.InferOutput<typeof InboxEntry>;
const attributes = Object.keys(InboxEntry.entries).join(', ');

/** Returns an upper bound for the newest message's position. */
export const toLatestPosition = ({ id, activity }: InboxEntry): MessagePosition => ({
  conversationId: id,
  sequence: maxSequence,
  sentAt: Number(activity.split('#', 1)),
});

const toInboxEntry = (item: Item): InboxEntry => v.parse(InboxEntry, item);

/**
 * Returns up to `limit` conversations with sort keys below `before`, most recently active first.
 */
export async function readInbox(
  inbox: Inbox,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ entries: InboxEntry[]; hasMore: boolean }> {
  const page = await queryPage({
    ...toQuery(inbox, before === undefined ? undefined : ['<', before]),
    Limit: limit,
  });
  return { entries: page.items.map(toInboxEntry), hasMore: page.next !== undefined };
}

/**
 * Returns all conversations with a sort key of at least `since`. `count` receives the size of each
 * page, and may throw.
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
