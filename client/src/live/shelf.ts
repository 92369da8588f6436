import type { Conversation } from '../generated/types.ts';
import type { Page } from '../list.ts';
import type { Held } from './held.ts';
import { shorten } from './knowledge.ts';
import { type Filters, inOrder, isAbove, isTied, matches } from './order.ts';

/** Where what is loaded ends, and there is more. */
export interface End {
  /** The last conversation, as it was there: what is below its place is not held. */
  readonly last: Conversation;
  /** To go on from; null: from the lowest one that is listed. */
  readonly next: Page<Conversation>['next'];
}

/** The conversations that are held: those of the list, as far as it is loaded, in its order; and those that are open. */
export interface Shelf {
  get(id: string): Held | undefined;
  /** All that are held. */
  all(): Held[];
  /** Those of the list, in its order. */
  listed(): Held[];
  isListed(id: string): boolean;
  /** Holds it as it is now, where it belongs to what is loaded of the list, or is open. */
  put(one: Held): void;
  /** It does not belong to the list any more; without a word of it. */
  forget(id: string): void;
  /** It is deleted, or not for the caller to see any more. */
  drop(id: string): void;
  /** Whether it belongs to what is loaded of the list. */
  belongs(one: Conversation): boolean;
  /** Whether it is known that the list does not have it. */
  isOutside(id: string): boolean;
  /** Whether its place in the list is not told by times. */
  isTied(id: string): boolean;
  /** A rank above all there were. */
  top(): number;
  /** Where what is loaded ends; undefined where there is no more. */
  end(): End | undefined;
  endAt(end: End | undefined): void;
  /** There is to be room for so many more than are listed. */
  makeRoom(more: number): void;
  /** Lets go of the lowest ones, where there are too many. */
  trim(): void;
  isOpen(id: string): boolean;
  /** Holds it, listed or not, until what it gives is called. */
  hold(id: string): () => void;
}

export interface ShelfOptions {
  filters: Filters;
  /** How many to list at most. */
  most: number;
  changed(conversationId?: string): void;
  gone(conversationId: string): void;
}

/** Conversations that are not of the list: so many are known not to be. */
const mostOutside = 1000;

export function shelfOf({ filters, most: atFirst, changed, gone }: ShelfOptions): Shelf {
  const held = new Map<string, Held>();
  const listedIds = new Set<string>();
  const open = new Map<string, number>();
  const outside = new Set<string>();
  let most = atFirst;
  let end: End | undefined;
  let highest = 0;

  const compare = inOrder(filters);
  const isListed = (id: string) => listedIds.has(id);
  const listed = () =>
    [...held.values()].filter(({ conversation }) => isListed(conversation.id)).sort(compare);
  const belongs = (one: Conversation) =>
    matches(filters, one) && (end === undefined || isAbove(filters, one, end.last));

  const forget = (id: string) => {
    held.delete(id);
    listedIds.delete(id);
  };

  const put = (one: Held) => {
    const { conversation } = one;
    const { id } = conversation;
    forget(id);
    if (belongs(conversation)) listedIds.add(id);
    if (isListed(id) || open.has(id)) held.set(id, one);
    if (matches(filters, conversation)) outside.delete(id);
    else {
      outside.add(id);
      shorten(outside, mostOutside);
    }
    changed(id);
  };

  return {
    get: (id) => held.get(id),
    all: () => [...held.values()],
    listed,
    isListed,
    put,
    forget,
    drop: (id) => {
      forget(id);
      outside.delete(id);
      gone(id);
      changed(id);
    },
    belongs,
    isOutside: (id) => outside.has(id),
    isTied: (id) => {
      const all = listed().map(({ conversation }) => conversation);
      const one = all.find((other) => other.id === id);
      return one !== undefined && isTied(filters, one, all);
    },
    top: () => {
      highest -= 1;
      return highest;
    },
    end: () => end,
    endAt: (at) => {
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
    hold: (id) => {
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
