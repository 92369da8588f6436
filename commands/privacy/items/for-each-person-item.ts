import type { StageTable } from '../../stage/stage-table.ts';
import { createConversationCache } from './conversation-cache.ts';
import { type FoundItem, findPersonItems } from './find-person-items.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { addCounts, type Counts, countItem } from './item-counts.ts';
import { createPersonFilter } from './person-filter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { readRanges, type TableRange } from './read-ranges.ts';
import { findSoleConversations } from './sole-conversations.ts';

export interface ItemSearch {
  table: StageTable;
  id: string;
  ranges: readonly TableRange[];
  limitRate: RateLimiter;
  pageSize?: number | undefined;
  /** Receives the counts so far, after each page. */
  onProgress?: ((counts: Counts) => void) | undefined;
}

const maxConcurrent = 8;

export interface ItemActions {
  /** Receives an item, or a whole conversation that has no other participant. */
  onItem(found: FoundItem): Promise<void>;
  /** Receives the id of each remaining conversation that has the person as creator or contact. */
  onSharedConversation(id: string): Promise<void>;
}

const countOnly: ItemActions = { onItem: async () => {}, onSharedConversation: async () => {} };

/**
 * Calls `onItem` or `onSharedConversation` for each item of a person, and returns the counts by
 * type. If the person is a conversation's only participant, calls `onItem` for the conversation,
 * but not for its contents. Skips groups that the person created.
 */
export async function forEachPersonItem(
  { table, id, ranges, limitRate, pageSize, onProgress }: ItemSearch,
  { onItem, onSharedConversation }: ItemActions = countOnly,
): Promise<Counts> {
  const person = { id, groups: [] };
  const conversations = createConversationCache(table);
  let counts: Counts = {};
  await readRanges({
    table,
    ranges,
    filter: createPersonFilter(person),
    limitRate,
    pageSize,
    onPage: async (items) => {
      const foundItems = (await findPersonItems(items, person, conversations)).filter(
        ({ item }) => item.kind !== 'group',
      );
      const soleIds = await findSoleConversations(table, foundItems, id);
      const isSole = ({ conversation }: FoundItem) => soleIds.has(conversation?.id ?? '');
      const shared = foundItems.filter((found) => !isSole(found));
      const sole = foundItems.filter(
        (found) => found.item.kind === 'conversation' && isSole(found),
      );
      await forEachConcurrently(sole, maxConcurrent, onItem);
      for (const id of soleIds) conversations.removeConversation(id);
      await forEachConcurrently(shared, maxConcurrent, (found) =>
        found.item.kind === 'conversation'
          ? onSharedConversation(found.item.conversation.id)
          : onItem(found),
      );
      counts = addCounts(
        counts,
        ...sole.map(({ item }) => countItem(item, true)),
        ...shared.map(({ item }) => countItem(item, false)),
      );
      onProgress?.(counts);
    },
  });
  return counts;
}
