import type { Caller } from '../../caller.ts';
import { isConversationId } from '../../ids.ts';
import type { Cursor } from '../../paging.ts';
import { getItem, type Item } from '../calls/access.ts';
import { type MergeRange, mergeSources, type Source } from '../calls/merge.ts';
import { activity, contactInbox, conversationKey, groupInbox } from '../keys/keys.ts';
import { inboxesOf } from './inbox.ts';
import { activeAt, type ConversationItem, visibleTo } from './items.ts';

/**
 * The conversations that the caller takes part in, of all or of one group, from the most recently active one on, or from
 * the place `from`, itself not given. Throws `too_many_conversations`.
 */
export const readRecent = (
  caller: Caller,
  groupId: string | undefined,
  range: MergeRange,
): Promise<ConversationItem[]> =>
  mergeSources({
    ...range,
    sources: sourcesOf(caller, groupId),
    ...(groupId !== undefined && {
      having: { expression: 'group_id = :group', values: { ':group': groupId } },
    }),
    choose: (items) => items.flatMap((item) => listed(item, caller, groupId) ?? []),
  });

/** The conversation of an item if it belongs to the list. */
function listed(item: Item | undefined, caller: Caller, groupId: string | undefined) {
  const conversation = visibleTo(caller, item);
  return groupId === undefined || conversation?.group_id === groupId ? conversation : undefined;
}

/** Where they are; of a group that the caller is not in, those that name the caller as contact. */
function sourcesOf(caller: Caller, groupId: string | undefined): Source[] {
  if (groupId === undefined) return inboxesOf(caller);
  return caller.groups.includes(groupId)
    ? [{ index: 'gsi1', partition: groupInbox(groupId) }]
    : [{ index: 'gsi2', partition: contactInbox(caller.id) }];
}

/**
 * The place in the list that a cursor names: the cursor tells it, or else the conversation as it is now. Undefined where
 * it names none.
 */
export async function placeInRecent(
  { id, position }: Cursor,
  caller: Caller,
  groupId: string | undefined,
): Promise<string | undefined> {
  if (!isConversationId(id)) return undefined;
  if (position !== undefined) {
    return /^\d{1,15}$/.test(position) ? activity(Number(position), id) : undefined;
  }
  const conversation = listed(await getItem(conversationKey(id)), caller, groupId);
  return conversation && activity(activeAt(conversation), id);
}
