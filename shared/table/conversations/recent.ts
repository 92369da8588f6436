import type { Caller } from '../../caller.ts';
import { isConversationId } from '../../ids.ts';
import type { Cursor } from '../../paging.ts';
import { getItem, type Item } from '../calls/access.ts';
import { type MergeRange, mergeSources, type Source } from '../calls/merge.ts';
import { activity, contactInbox, conversationKey, type Flags, groupInbox } from '../keys/keys.ts';
import { leavingOut } from './exclude.ts';
import { type Filters, filterCondition, isAmong } from './filters.ts';
import { inboxesOf } from './inbox.ts';
import { activeAt, type ConversationItem, visibleTo } from './items.ts';
import { conversationsWith } from './pairs.ts';
import type { Settings } from './settings.ts';

/** A conversation of a list; with the settings where these had to be looked at. */
export interface Recent {
  conversation: ConversationItem;
  settings?: Settings;
  /** It was read strongly in this request; what an index tells may be behind. */
  isSure: boolean;
}

/**
 * The conversations of a list that have none of the excluded flags, from the most recently active one on, or from the place
 * `from`, itself not given. Throws `too_many_conversations`.
 */
export async function readRecent(
  caller: Caller,
  excluded: Flags,
  filters: Filters,
  range: MergeRange,
): Promise<Recent[]> {
  const hasExcluded = excluded.muted || excluded.archived || excluded.pinned;
  const leaveOut = hasExcluded && leavingOut(caller.id, excluded, range.count);
  const choose = (conversations: ConversationItem[]) =>
    leaveOut ? leaveOut(conversations) : conversations.map((conversation) => ({ conversation }));

  const few = filters.contactId === undefined ? undefined : await readFew(caller, filters, range);
  if (few) {
    const chosen = await choose(few);
    return chosen.slice(0, range.count).map((one) => ({ ...one, isSure: true }));
  }
  const found = await mergeSources({
    ...range,
    sources: sourcesOf(caller, filters),
    having: filterCondition(filters, caller),
    // Of what is left out, the index of flags knows thousands by one call.
    ...(hasExcluded && { mostChosenFrom: Infinity }),
    choose: (items) => choose(items.flatMap((item) => listed(item, caller, filters) ?? [])),
  });
  return found.map((one) => ({ ...one, isSure: false }));
}

/** The conversation of an item if it belongs to the list. */
function listed(item: Item | undefined, caller: Caller, filters: Filters) {
  const conversation = visibleTo(caller, item);
  return conversation && isAmong(filters, conversation, caller) ? conversation : undefined;
}

/** Where they are; of a group that the caller is not in, those that name the caller as contact. */
function sourcesOf(caller: Caller, { groupId, contactId }: Filters): Source[] {
  if (groupId === undefined) {
    // No group has direct conversations.
    return inboxesOf(contactId === undefined ? caller : { ...caller, groups: [] });
  }
  return caller.groups.includes(groupId)
    ? [{ index: 'gsi1', partition: groupInbox(groupId) }]
    : [{ index: 'gsi2', partition: contactInbox(caller.id) }];
}

/**
 * Those with one contact are mostly few: then all of them are looked up, and sorted here, as their index does not know when
 * they were active. Undefined where they are many.
 */
async function readFew(
  caller: Caller,
  filters: Filters,
  { backwards, from }: MergeRange,
): Promise<ConversationItem[] | undefined> {
  const found = await conversationsWith(caller, filters);
  if (!found) return undefined;
  const sign = backwards ? -1 : 1;
  return found
    .map((conversation) => ({ conversation, place: placeOf(conversation) }))
    .filter(({ place }) => from === undefined || (backwards ? place > from : place < from))
    .sort((a, b) => (a.place < b.place ? sign : -sign))
    .map(({ conversation }) => conversation);
}

const placeOf = (conversation: ConversationItem) =>
  activity(activeAt(conversation), conversation.id);

/**
 * The place in the list that a cursor names: the cursor tells it, or else the conversation as it is now. Undefined where
 * it names none.
 */
export async function placeInRecent(
  { id, position }: Cursor,
  caller: Caller,
  filters: Filters,
): Promise<string | undefined> {
  if (!isConversationId(id)) return undefined;
  if (position !== undefined) {
    return /^\d{1,15}$/.test(position) ? activity(Number(position), id) : undefined;
  }
  const conversation = listed(await getItem(conversationKey(id)), caller, filters);
  return conversation && placeOf(conversation);
}
