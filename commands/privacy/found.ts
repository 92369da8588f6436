import type { Item } from '../../shared/table/calls/access.ts';
import type { ConversationItem } from '../../shared/table/conversations/items/conversation-item.ts';
import type { ContactWithGroups } from '../../shared/table/conversations/items/participants.ts';
import type { conversationsOf } from './conversations.ts';
import { type Thing, thingOf } from './things.ts';

/** An item with its conversation, if it belongs to one. */
export interface Found {
  thing: Thing;
  conversation: ConversationItem | undefined;
}

/**
 * Returns the items of a person on a page of the table. Skips the contents of deleted
 * conversations, which the purge removes.
 */
export async function foundOn(
  items: readonly Item[],
  who: ContactWithGroups,
  { lookUp }: ReturnType<typeof conversationsOf>,
): Promise<Found[]> {
  const things = items.flatMap((item) => thingOf(item, who) ?? []);
  const find = await lookUp(things.flatMap((thing) => conversationIdIn(thing) ?? []));
  return things.flatMap((thing): Found[] => {
    const id = conversationIdIn(thing);
    if (id === undefined) return [{ thing, conversation: undefined }];
    const conversation = find(id);
    return conversation ? [{ thing, conversation }] : [];
  });
}

function conversationIdIn(thing: Thing): string | undefined {
  if (thing.kind === 'conversation') return thing.conversation.id;
  return thing.kind === 'message' || thing.kind === 'settings' ? thing.conversationId : undefined;
}
