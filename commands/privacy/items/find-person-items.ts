import type { Item } from '../../../shared/table/calls/access.ts';
import type { ConversationItem } from '../../../shared/table/conversations/items/conversation-item.ts';
import type { ContactWithGroups } from '../../../shared/table/conversations/items/participants.ts';
import type { createConversationCache } from './conversation-cache.ts';
import { type PersonItem, toPersonItem } from './person-item.ts';

/** An item and, if it belongs to a conversation, the conversation. */
export interface FoundItem {
  item: PersonItem;
  conversation: ConversationItem | undefined;
}

/**
 * Selects the items of a person from a page of the table. Skips the contents of deleted
 * conversations, because the purge deletes them.
 */
export async function findPersonItems(
  items: readonly Item[],
  person: ContactWithGroups,
  { readConversations }: ReturnType<typeof createConversationCache>,
): Promise<FoundItem[]> {
  const personItems = items.flatMap((item) => toPersonItem(item, person) ?? []);
  const find = await readConversations(
    personItems.flatMap((item) => getConversationId(item) ?? []),
  );
  return personItems.flatMap((item): FoundItem[] => {
    const id = getConversationId(item);
    if (id === undefined) return [{ item, conversation: undefined }];
    const conversation = find(id);
    return conversation ? [{ item, conversation }] : [];
  });
}

function getConversationId(item: PersonItem): string | undefined {
  switch (item.kind) {
    case 'conversation':
      return item.conversation.id;
    case 'message':
    case 'settings':
    case 'upload':
    case 'assignment':
      return item.conversationId;
    default:
      return undefined;
  }
}
