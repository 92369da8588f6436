import type { Caller } from '../../../caller.ts';
import { isConversationId, isUserGroup } from '../../../ids.ts';
import type { Cursor } from '../../../paging.ts';
import { getItem, type Item } from '../../calls/access.ts';
import {
  type Merge,
  type MergeRange,
  mergeSources,
  type Source,
} from '../../calls/merge-sources.ts';
import {
  contactInboxPartition,
  conversationKey,
  type Flags,
  toActivitySortKey,
} from '../../keys/keys.ts';
import {
  type ConversationItem,
  type FoundConversation,
  getActiveAt,
  parseVisibleConversation,
} from '../items/conversation-item.ts';
import { createFlagExcluder } from './exclude-flagged.ts';
import { type Filters, matchesFilters, toFilterCondition } from './filters.ts';
import { findConversationsWith } from './find-by-contact.ts';
import {
  deriveActiveUntil,
  getGroupInbox,
  getGroupInboxes,
  getInboxes,
  getOwnInboxes,
  type Inbox,
} from './read-inbox.ts';

/** A caller whose user groups are being read. */
export interface ListReader {
  /** The caller with only the groups of the token. */
  caller: Caller;
  /** The caller with all groups whose conversations the list may contain. */
  member: Promise<Caller>;
}

/**
 * Returns conversations sorted by activity. Without filters, the first queries do not wait for the
 * caller's user groups. Throws `too_many_conversations`.
 */
export async function listRecent(
  reader: ListReader,
  excluded: Flags,
  filters: Filters,
  range: MergeRange,
): Promise<FoundConversation[]> {
  const { caller, member } = reader;
  const hasExcluded = excluded.muted || excluded.archived || excluded.pinned;
  const excludeFlagged = hasExcluded && createFlagExcluder(caller.id, excluded, range.count);
  const choose = (conversations: ConversationItem[]) =>
    excludeFlagged
      ? excludeFlagged(conversations)
      : conversations.map((conversation) => ({ conversation }));

  const withContact =
    filters.contactId === undefined
      ? undefined
      : await listWithContact(await member, filters, range);
  if (withContact) {
    const chosen = await choose(withContact);
    return chosen
      .slice(0, range.count)
      .map((one) => ({ ...one, consistentParts: 'conversation' as const }));
  }
  const found = await mergeSources({
    ...range,
    ...(await getSources(reader, filters)),
    filter: toFilterCondition(filters, caller),
    // Sets no limit, because one query of the flag index can exclude thousands of conversations.
    ...(hasExcluded && { maxCandidates: Infinity }),
    choose: async (items) => {
      const participant = await member;
      return choose(items.flatMap((item) => parseListed(item, participant, filters) ?? []));
    },
  });
  return found.map((one) => ({ ...one, consistentParts: 'neither' as const }));
}

function parseListed(item: Item | undefined, caller: Caller, filters: Filters) {
  const conversation = parseVisibleConversation(caller, item);
  return conversation && matchesFilters(filters, conversation, caller) ? conversation : undefined;
}

type Sources = Pick<Merge<unknown>, 'sources' | 'laterSources'>;

/**
 * Returns the inboxes to list. If the caller is not a member of the requested group, returns the
 * inbox of conversations whose contact is the caller.
 */
async function getSources(
  { caller, member }: ListReader,
  { groupId, contactId }: Filters,
): Promise<Sources> {
  if (groupId !== undefined) {
    const { groups } = await member;
    const named: Source = { index: 'gsi2', partition: contactInboxPartition(caller.id) };
    return { sources: [groups.includes(groupId) ? getGroupInbox(groupId) : named] };
  }
  // Only contacts' inboxes contain direct conversations.
  if (contactId !== undefined) return { sources: getOwnInboxes(caller) };
  const laterSources = getUserGroupSources(member);
  laterSources.catch(() => {});
  const inboxes = await getInboxes(caller, deriveActiveUntil);
  return { sources: inboxes.map(toSource), laterSources };
}

async function getUserGroupSources(member: Promise<Caller>): Promise<Source[]> {
  const { groups } = await member;
  const inboxes = await getGroupInboxes(groups.filter(isUserGroup), deriveActiveUntil);
  return inboxes.map(toSource);
}

const toSource = ({ activeUntil, ...inbox }: Inbox): Source => ({
  ...inbox,
  ...(activeUntil !== undefined && { bound: toActivitySortKey(activeUntil, '~') }),
});

/**
 * Returns the conversations with a contact, sorted by activity, or `undefined` if there are too
 * many.
 */
async function listWithContact(
  caller: Caller,
  filters: Filters,
  { backwards, from }: MergeRange,
): Promise<ConversationItem[] | undefined> {
  const found = await findConversationsWith(caller, filters);
  if (!found) return undefined;
  const sign = backwards ? -1 : 1;
  return found
    .map((conversation) => ({ conversation, sortKey: getSortKey(conversation) }))
    .filter(({ sortKey }) => from === undefined || (backwards ? sortKey > from : sortKey < from))
    .sort((a, b) => (a.sortKey < b.sortKey ? sign : -sign))
    .map(({ conversation }) => conversation);
}

const getSortKey = (conversation: ConversationItem) =>
  toActivitySortKey(getActiveAt(conversation), conversation.id);

/**
 * Returns a cursor's position. If the cursor has no position, returns its conversation's position;
 * `undefined` if the cursor is invalid or the conversation is not in the list.
 */
export async function resolveRecentCursor(
  { id, position }: Cursor,
  { member }: ListReader,
  filters: Filters,
): Promise<string | undefined> {
  if (!isConversationId(id)) return undefined;
  if (position !== undefined) {
    return /^\d{1,15}$/.test(position) ? toActivitySortKey(Number(position), id) : undefined;
  }
  const conversation = parseListed(await getItem(conversationKey(id)), await member, filters);
  return conversation && getSortKey(conversation);
}
