import * as v from 'valibot';
import { createBoundedCache } from '../../../shared/bounded-cache.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { ConversationItem } from '../../../shared/table/conversations/items/conversation-item.ts';
import { isDeleted } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import { conversationKey, parseConversationPartition } from '../../../shared/table/keys/keys.ts';
import { getItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';

/** Returns a conversation by id; undefined if the conversation is missing or deleted. */
export type GetConversation = (id: string) => ConversationItem | undefined;

/** Maximum number of cached conversations, so that memory use does not grow with the table. */
const maxCached = 10_000;

const KeyedItem = v.object({ pk: v.string() });

/** Creates a cache of conversations that treats deleted conversations as missing. */
export function createConversationCache(table: StageTable) {
  const cache = createBoundedCache<{ found: ConversationItem | undefined }>(maxCached);
  return {
    async readConversations(ids: readonly string[]): Promise<GetConversation> {
      const requested = new Map([...new Set(ids)].map((id) => [id, cache.get(id)] as const));
      const missing = [...requested].flatMap(([id, cached]) => (cached ? [] : [id]));
      const items = new Map((await getItems(table, missing.map(conversationKey))).map(toEntry));
      for (const id of missing) {
        const item = items.get(id);
        const found = item && !isDeleted(item) ? v.parse(ConversationItem, item) : undefined;
        cache.set(id, { found });
        requested.set(id, { found });
      }
      return (id) => requested.get(id)?.found;
    },
    removeConversation: (id: string): void => cache.set(id, { found: undefined }),
  };
}

const toEntry = (item: Item) =>
  [parseConversationPartition(v.parse(KeyedItem, item)), item] as const;
