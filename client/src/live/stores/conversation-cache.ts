import type { Conversation } from '../../generated/types.ts';
import type { Page } from '../../list.ts';
import type { CachedConversation } from './cached-conversation.ts';
import { evictOldest } from './change-tracker.ts';
import {
  type ConversationFilters,
  createConversationComparator,
  isAtOrAbove,
  matchesFilters,
  sharesActivitySecond,
} from './conversation-order.ts';

/** Where what is loaded ends, and there is more. */
export interface LoadedEnd {
  /** The last conversation, as it was there: what is below its place is not held. */
  readonly last: Conversation;
  /** To go on from; null: from the lowest one that is listed. */
  readonly next: Page<Conversation>['next'];
}

/** The conversations that are held: those of the list, as far as it is loaded, in its order; and those that are open. */
export interface ConversationCache {
  get(id: string): CachedConversation | undefined;
  /** All that are held. */
  getAll(): CachedConversation[];
  /** Those of the list, in its order. */
  getListed(): CachedConversation[];
  isListed(id: string): boolean;
  /** Holds it as it is now, where it belongs to what is loaded of the list, or is open. */
  put(one: CachedConversation): void;
  /** It does not belong to the list any more; without a word of it. */
  unlist(id: string): void;
  /** It is deleted, or not for the caller to see any more. */
  remove(id: string): void;
  /** Whether it belongs to what is loaded of the list. */
  belongsToList(one: Conversation): boolean;
  /** Whether it is known that the list does not have it. */
  isKnownOutside(id: string): boolean;
  /** Whether its place in the list is not told by times. */
  hasTiedPosition(id: string): boolean;
  /** A rank above all there were. */
  takeTopRank(): number;
  /** Where what is loaded ends; undefined where there is no more. */
  getEnd(): LoadedEnd | undefined;
  setEnd(end: LoadedEnd | undefined): void;
  /** There is to be room for so many more than are listed. */
  makeRoom(more: number): void;
  /** Lets go of the lowest ones, where there are too many. */
  trim(): void;
  isOpen(id: string): boolean;
  /** Holds it, listed or not, until what it gives is called. */
  retain(id: string): () => void;
}

export interface ConversationCacheOptions {
  filters: ConversationFilters;
  /** How many to list at most. */
  maxListed: number;
  onChange(conversationId?: string): void;
  onRemoved(conversationId: string): void;
}

/** Conversations that are not of the list: so many are known not to be. */
const maxOutsideIds = 1000;

export function createConversationCache({
  filters,
  maxListed: atFirst,
  onChange: changed,
  onRemoved: gone,
}: ConversationCacheOptions): ConversationCache {
  const held = new Map<string, CachedConversation>();
  const listedIds = new Set<string>();
  const open = new Map<string, number>();
  const outside = new Set<string>();
  let most = atFirst;
  let end: LoadedEnd | undefined;
  let highest = 0;

  const compare = createConversationComparator(filters);
  const isListed = (id: string) => listedIds.has(id);
  const listed = () =>
    [...held.values()].filter(({ conversation }) => isListed(conversation.id)).sort(compare);
  const belongs = (one: Conversation) =>
    matchesFilters(filters, one) && (end === undefined || isAtOrAbove(filters, one, end.last));

  const forget = (id: string) => {
    held.delete(id);
    listedIds.delete(id);
  };

  const put = (one: CachedConversation) => {
    const { conversation } = one;
    const { id } = conversation;
    forget(id);
    if (belongs(conversation)) listedIds.add(id);
    if (isListed(id) || open.has(id)) held.set(id, one);
    if (matchesFilters(filters, conversation)) outside.delete(id);
    else {
      outside.add(id);
      evictOldest(outside, maxOutsideIds);
    }
    changed(id);
  };

  return {
    get: (id) => held.get(id),
    getAll: () => [...held.values()],
    getListed: listed,
    isListed,
    put,
    unlist: forget,
    remove: (id) => {
      forget(id);
      outside.delete(id);
      gone(id);
      changed(id);
    },
    belongsToList: belongs,
    isKnownOutside: (id) => outside.has(id),
    hasTiedPosition: (id) => {
      const all = listed().map(({ conversation }) => conversation);
      const one = all.find((other) => other.id === id);
      return one !== undefined && sharesActivitySecond(filters, one, all);
    },
    takeTopRank: () => {
      highest -= 1;
      return highest;
    },
    getEnd: () => end,
    setEnd: (at) => {
      end = at;
      for (const one of listed()) put(one);
      changed();
    },
    makeRoom: (more) => {
      most = Math.max(most, listed().length + more);
    },
    trim: () => {
      const all = listed();
      const last = all[most - 1]?.conversation;
      if (all.length <= most || !last) return;
      end = { last, next: null };
      for (const one of all.slice(most)) put(one);
    },
    isOpen: (id) => open.has(id),
    retain: (id) => {
      open.set(id, (open.get(id) ?? 0) + 1);
      return () => {
        const count = (open.get(id) ?? 1) - 1;
        if (count > 0) open.set(id, count);
        else open.delete(id);
        const had = held.get(id);
        if (had) put(had);
      };
    },
  };
}
