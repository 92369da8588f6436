import * as v from 'valibot';
import { createBoundedCache } from '../../shared/bounded-cache.ts';
import type { Item } from '../../shared/table/calls/access.ts';
import { ConversationItem } from '../../shared/table/conversations/items/conversation-item.ts';
import { isDeleted } from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { conversationKey, parseConversationPartition } from '../../shared/table/keys/keys.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';

/** Existing conversations by id. */
export type FindConversation = (id: string) => ConversationItem | undefined;

/** Maximum number of cached conversations, independent of the table's size. */
const maxRemembered = 10_000;

const Keyed = v.object({ pk: v.string() });

/** Returns a cached lookup of conversations that omits deleted ones. */
export function conversationsOf(table: StageTable) {
  const known = createBoundedCache<{ found: ConversationItem | undefined }>(maxRemembered);
  return {
    async lookUp(ids: readonly string[]): Promise<FindConversation> {
      const wanted = new Map([...new Set(ids)].map((id) => [id, known.get(id)] as const));
      const unknown = [...wanted].flatMap(([id, one]) => (one ? [] : [id]));
      const items = new Map((await getItems(table, unknown.map(conversationKey))).map(byId));
      for (const id of unknown) {
        const item = items.get(id);
        const found = item && !isDeleted(item) ? v.parse(ConversationItem, item) : undefined;
        known.set(id, { found });
        wanted.set(id, { found });
      }
      return (id) => wanted.get(id)?.found;
    },
    /** Removes a conversation that has been deleted in the meantime. */
    forget: (id: string): void => known.set(id, { found: undefined }),
  };
}

const byId = (item: Item) => [parseConversationPartition(v.parse(Keyed, item)), item] as const;
