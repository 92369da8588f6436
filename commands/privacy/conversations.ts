import * as v from 'valibot';
import { createBoundedCache } from '../../shared/bounded-cache.ts';
import type { Item } from '../../shared/table/calls/access.ts';
import { ConversationItem } from '../../shared/table/conversations/items/conversation-item.ts';
import { isDeleted } from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { conversationKey, parseConversationPartition } from '../../shared/table/keys/keys.ts';
import { getItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';

/** Conversations that are there, by their ids. */
export type FindConversation = (id: string) => ConversationItem | undefined;

/** However large the table is, so many are remembered. */
const maxRemembered = 10_000;

const Keyed = v.object({ pk: v.string() });

/**
 * Looks conversations up, each once as long as it is remembered; those that are deleted are not
 * found.
 */
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
    /** It has been deleted meanwhile. */
    forget: (id: string): void => known.set(id, { found: undefined }),
  };
}

const byId = (item: Item) => [parseConversationPartition(v.parse(Keyed, item)), item] as const;
