import type { Conversation } from '../../generated/types.ts';
import type { Page } from '../../requests/list.ts';
import type { CachedConversation } from './cached-conversation.ts';
import {
  type ConversationFilters,
  createConversationComparator,
  isAtOrAbove,
  matchesFilters,
  sharesActivitySecond,
} from './conversation-order.ts';
import { evictOldest } from './evict-oldest.ts';

/** The end of the loaded part, if the list has more conversations. */
export interface LoadedEnd {
  /**
   * The last conversation, as loaded. The cache lists conversations only down to this
   * conversation's position.
   */
  readonly last: Conversation;
  /** Cursor of the next page; null to continue from the lowest listed conversation. */
  readonly next: Page<Conversation>['next'];
}

export interface ConversationCacheOptions {
  filters: ConversationFilters;
  maxListed: number;
  onChange(conversationId?: string): void;
  onRemoved(conversationId: string): void;
  /** Reports whether the cache keeps a conversation even if it is not listed. */
  isOpen(conversationId: string): boolean;
}

const maxOutsideIds = 1000;

/** The loaded part of a list, and the open conversations. */
export interface ConversationCache {
  readonly options: ConversationCacheOptions;
  readonly entries: Map<string, CachedConversation>;
  readonly listedIds: Set<string>;
  /** Ids of conversations that do not match the filters. */
  readonly outsideIds: Set<string>;
  maxListed: number;
  /** Undefined if the whole list is loaded. */
  end: LoadedEnd | undefined;
  topRank: number;
}

export const createConversationCache = (options: ConversationCacheOptions): ConversationCache => ({
  options,
  entries: new Map(),
  listedIds: new Set(),
  outsideIds: new Set(),
  maxListed: options.maxListed,
  end: undefined,
  topRank: 0,
});

/** Returns the listed conversations in the order of the list. */
export const getListed = ({ entries, listedIds, options }: ConversationCache) =>
  [...entries.values()]
    .filter(({ conversation }) => listedIds.has(conversation.id))
    .sort(createConversationComparator(options.filters));

/** Reports whether a conversation belongs to the loaded part of the list. */
export const belongsToList = (
  { options: { filters }, end }: ConversationCache,
  conversation: Conversation,
): boolean =>
  matchesFilters(filters, conversation) &&
  (end === undefined || isAtOrAbove(filters, conversation, end.last));

/**
 * Stores a conversation if it belongs to the loaded part of the list or is open; otherwise removes
 * it. Records whether the conversation matches the filters.
 */
export function putConversation(cache: ConversationCache, entry: CachedConversation): void {
  const { entries, listedIds, outsideIds, options } = cache;
  const { conversation } = entry;
  const { id } = conversation;
  unlistConversation(cache, id);
  if (belongsToList(cache, conversation)) listedIds.add(id);
  if (listedIds.has(id) || options.isOpen(id)) entries.set(id, entry);
  if (matchesFilters(options.filters, conversation)) outsideIds.delete(id);
  else {
    outsideIds.add(id);
    evictOldest(outsideIds, maxOutsideIds);
  }
  options.onChange(id);
}

/** Removes a conversation without calling `onRemoved` or `onChange`. */
export function unlistConversation({ entries, listedIds }: ConversationCache, id: string): void {
  entries.delete(id);
  listedIds.delete(id);
}

/** Removes a conversation that was deleted or to which the user has lost access. */
export function removeConversation(cache: ConversationCache, id: string): void {
  unlistConversation(cache, id);
  cache.outsideIds.delete(id);
  cache.options.onRemoved(id);
  cache.options.onChange(id);
}

/**
 * Reports whether the conversation's position is uncertain: the list is ordered by activity, and
 * another listed conversation, or the end of the loaded part, was last active in the same second.
 */
export function hasTiedPosition(cache: ConversationCache, id: string): boolean {
  const { options, end } = cache;
  const all = getListed(cache).map(({ conversation }) => conversation);
  const target = all.find((other) => other.id === id);
  const others = end ? [...all, end.last] : all;
  return target !== undefined && sharesActivitySecond(options.filters, target, others);
}

/** Returns a rank above all others. */
export function takeTopRank(cache: ConversationCache): number {
  cache.topRank -= 1;
  return cache.topRank;
}

/** Sets the end of the loaded part, and removes the conversations below it. */
export function setLoadedEnd(cache: ConversationCache, end: LoadedEnd | undefined): void {
  cache.end = end;
  for (const entry of getListed(cache)) putConversation(cache, entry);
  cache.options.onChange();
}

/**
 * Removes conversations from the end of the list if more than `maxListed` are listed. In a list by
 * activity, keeps those of the same second as the last conversation within the limit.
 */
export function trimList(cache: ConversationCache): void {
  const all = getListed(cache);
  const last = all[cache.maxListed - 1]?.conversation;
  if (all.length <= cache.maxListed || !last) return;
  cache.end = { last, next: null };
  for (const entry of all.slice(cache.maxListed)) putConversation(cache, entry);
}
