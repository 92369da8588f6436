import type { Caller } from '../../caller.ts';
import type { Page } from '../../contract/list.ts';
import { cursorAt, parseCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isConversationId } from '../../ids.ts';
import { type Paging, pageOf } from '../../paging.ts';
import { getItem, type Item } from '../calls/access.ts';
import { mergeSources, type Source } from '../calls/merge.ts';
import { activity, contactInbox, conversationKey, groupInbox } from '../keys/keys.ts';
import { inboxesOf } from './inbox.ts';
import { activeAt, type ConversationItem, type View, visibleTo } from './items.ts';
import { getSettings } from './settings.ts';

/**
 * One page of the conversations that the caller takes part in, of all or of one group, the most recently active first.
 * Throws `parameter_invalid` for the cursor, and `too_many_conversations`.
 */
export async function listRecent(
  caller: Caller,
  groupId: string | undefined,
  paging: Paging,
): Promise<Page<View>> {
  const listed = (item: Item | undefined) => {
    const conversation = visibleTo(caller, item);
    return groupId === undefined || conversation?.group_id === groupId ? conversation : undefined;
  };
  const found = await mergeSources({
    sources: sourcesOf(caller, groupId),
    backwards: paging.backwards,
    from: paging.cursor && (await positionOf(paging.cursor, listed)),
    count: paging.limit + 1,
    ...(groupId !== undefined && {
      having: { expression: 'group_id = :group', values: { ':group': groupId } },
    }),
    choose: (items) => items.flatMap((item) => listed(item) ?? []),
  });
  const page = pageOf(found, paging, (one) => cursorAt(one.id, activeAt(one)));
  const settingsOf = await getSettings(
    caller.id,
    page.data.map(({ id }) => id),
  );
  return {
    ...page,
    data: page.data.map((conversation) => ({
      conversation,
      settings: settingsOf(conversation.id),
    })),
  };
}

/** Where they are; of a group that the caller is not in, those that name the caller as contact. */
function sourcesOf(caller: Caller, groupId: string | undefined): Source[] {
  if (groupId === undefined) return inboxesOf(caller);
  return caller.groups.includes(groupId)
    ? [{ index: 'gsi1', partition: groupInbox(groupId) }]
    : [{ index: 'gsi2', partition: contactInbox(caller.id) }];
}

/** The place in the list: the cursor tells it, or else the conversation as it is now. */
async function positionOf(
  { parameter, value }: NonNullable<Paging['cursor']>,
  listed: (item: Item | undefined) => ConversationItem | undefined,
): Promise<string> {
  const { id, position } = parseCursor(value);
  const refusal = invalid(parameter, 'must be the id of a conversation of this list');
  if (!isConversationId(id)) throw refusal;
  if (position !== undefined) {
    if (!/^\d{1,15}$/.test(position)) throw refusal;
    return activity(Number(position), id);
  }
  const conversation = listed(await getItem(conversationKey(id)));
  if (!conversation) throw refusal;
  return activity(activeAt(conversation), id);
}
