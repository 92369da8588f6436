import { type Answer, type Call, createCall } from './call.ts';

/** Where a page begins or ends, to go on from: it keeps its place, whatever becomes of the items. */
export type Cursor = { readonly starting_after: string } | { readonly ending_before: string };

export interface Page<Item> {
  readonly data: Item[];
  /** Whether more follows in the direction that was asked for. */
  readonly has_more: boolean;
  /** Of the page after this one in the order of the list; null where there is none. */
  readonly next: { readonly starting_after: string } | null;
  /** Of the page before this one; null where there is none. */
  readonly prev: { readonly ending_before: string } | null;
}

/**
 * A list. `for await (const item of list)` gives every item and asks for pages as it needs them; with `ending_before` it goes
 * from there towards the list's beginning.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page: the first, or the one at a cursor. */
  page(at?: Cursor): Call<Page<Item>>;
  /** One page after the other. */
  pages(): AsyncIterable<Page<Item>>;
}

/** Asks for a page at a cursor; without one as the list's own parameters say. */
export type FetchPage<Item> = (at?: Cursor) => Promise<Answer<Page<Item>>>;

export function createList<Item>(ask: FetchPage<Item>, backwards: boolean): List<Item> {
  const pages = async function* () {
    let at: Cursor | undefined;
    for (;;) {
      const { data: page } = await ask(at);
      yield page;
      const next = backwards ? page.prev : page.next;
      if (!page.has_more || next === null) return;
      at = next;
    }
  };
  return {
    page: (at) => createCall(ask(at)),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* backwards ? [...data].reverse() : data;
    },
  };
}

/** The cursors that a `Link` header names. */
export function parseLinkCursors(link: string | null): Pick<Page<never>, 'next' | 'prev'> {
  const next = parseLinkCursor(link, 'next', 'starting_after');
  const prev = parseLinkCursor(link, 'prev', 'ending_before');
  return {
    next: next === null ? null : { starting_after: next },
    prev: prev === null ? null : { ending_before: prev },
  };
}

function parseLinkCursor(link: string | null, rel: string, parameter: string): string | null {
  for (const [, address = '', name] of (link ?? '').matchAll(/<([^>]*)>;\s*rel="(\w+)"/g)) {
    const value = new RegExp(`[?&]${parameter}=([^&]*)`).exec(address)?.[1];
    if (name === rel && value) return decodeURIComponent(value.replaceAll('+', ' '));
  }
  return null;
}
