import type { Caller } from '../../../caller.ts';
import { isConversationId } from '../../../ids.ts';
import type { Cursor } from '../../../paging.ts';
import { getItem, type Item } from '../../calls/access.ts';
import { type MergeRange, mergeSources, type Source } from '../../calls/merge-sources.ts';
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
import { deriveActiveUntil, getGroupInbox, getInboxes } from './read-inbox.ts';

/** Returns conversations by recent activity. Throws `too_many_conversations`. */
export async function listRecent(
  caller: Caller,
  excluded: Flags,
  filters: Filters,
  range: MergeRange,
): Promise<FoundConversation[]> {
  const hasExcluded = excluded.muted || excluded.archived || excluded.pinned;
  const excludeFlagged = hasExcluded && createFlagExcluder(caller.id, excluded, range.count);
  const choose = (conversations: ConversationItem[]) =>
    excludeFlagged
      ? excludeFlagged(conversations)
      : conversations.map((conversation) => ({ conversation }));

  const withContact =
    filters.contactId === undefined ? undefined : await listWithContact(caller, filters, range);
  if (withContact) {
    const chosen = await choose(withContact);
    return chosen
      .slice(0, range.count)
      .map((one) => ({ ...one, consistentParts: 'conversation' as const }));
  }
  const found = await mergeSources({
    ...range,
    sources: await getSources(caller, filters),
    filter: toFilterCondition(filters, caller),
    // One call of the flag index returns thousands of excluded conversations.
    ...(hasExcluded && { maxCandidates: Infinity }),
    choose: (items) => choose(items.flatMap((item) => parseListed(item, caller, filters) ?? [])),
  });
  return found.map((one) => ({ ...one, consistentParts: 'neither' as const }));
}

function parseListed(item: Item | undefined, caller: Caller, filters: Filters) {
  const conversation = parseVisibleConversation(caller, item);
  return conversation && matchesFilters(filters, conversation, caller) ? conversation : undefined;
}

/** Returns the inboxes of the list; outside of the group, those that name the caller. */
async function getSources(caller: Caller, { groupId, contactId }: Filters): Promise<Source[]> {
  if (groupId === undefined) {
    // Direct conversations have no group.
    const inboxes = await getInboxes(
      contactId === undefined ? caller : { ...caller, groups: [] },
      deriveActiveUntil,
    );
    return inboxes.map(({ activeUntil, ...inbox }) => ({
      ...inbox,
      ...(activeUntil !== undefined && { bound: toActivitySortKey(activeUntil, '~') }),
    }));
  }
  return caller.groups.includes(groupId)
    ? [getGroupInbox(groupId)]
    : [{ index: 'gsi2', partition: contactInboxPartition(caller.id) }];
}

/** Reads all conversations with a contact: their index has no activity. `undefined` if too many. */
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

/** Returns the position that a cursor contains, or that of its conversation, if either exists. */
export async function resolveRecentCursor(
  { id, position }: Cursor,
  caller: Caller,
  filters: Filters,
): Promise<string | undefined> {
  if (!isConversationId(id)) return undefined;
  if (position !== undefined) {
    return /^\d{1,15}$/.test(position) ? toActivitySortKey(Number(position), id) : undefined;
  }
  const conversation = parseListed(await getItem(conversationKey(id)), caller, filters);
  return conversation && getSortKey(conversation);
}
