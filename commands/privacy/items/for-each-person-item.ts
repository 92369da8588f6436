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
  /** The parts of the table to search. */
  ranges: readonly TableRange[];
  limitRate: RateLimiter;
  pageSize?: number | undefined;
  /** Receives the counts so far. */
  onProgress?: ((counts: Counts) => void) | undefined;
}

/** Number of items processed in parallel. */
const maxConcurrent = 8;

/** Callbacks for the items of a person. */
export interface ItemActions {
  /** Receives an item, or a conversation without another participant. */
  onItem(found: FoundItem): Promise<void>;
  /** Receives the id of any other conversation that the person created or that names the person. */
  onSharedConversation(id: string): Promise<void>;
}

const countOnly: ItemActions = { onItem: async () => {}, onSharedConversation: async () => {} };

/**
 * Calls a function for each item of a person, and counts the items. Passes a conversation without
 * another participant as a whole, without its individual items. Skips groups that the person
 * created.
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
