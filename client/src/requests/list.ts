import { type ApiResponse, type Call, createCall } from './call.ts';

/** Position to continue from. It stays valid even if items change or are deleted. */
export type Cursor = { readonly starting_after: string } | { readonly ending_before: string };

export interface Page<Item> {
  readonly data: Item[];
  /** Whether there are more items in the requested direction. */
  readonly has_more: boolean;
  /** Cursor of the next page in list order; null if there is none. */
  readonly next: { readonly starting_after: string } | null;
  /** Cursor of the previous page; null if there is none. */
  readonly prev: { readonly ending_before: string } | null;
}

/**
 * A list. `for await (const item of list)` yields every item, and requests pages as needed. With
 * `ending_before`, the loop yields the items before that cursor, in reverse order.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Returns the page at the cursor or, without a cursor, the page that the parameters select. */
  page(at?: Cursor): Call<Page<Item>>;
  /** Yields the pages one by one. */
  pages(): AsyncIterable<Page<Item>>;
}

export type FetchPage<Item> = (at?: Cursor) => Promise<ApiResponse<Page<Item>>>;

export function createList<Item>(fetchPage: FetchPage<Item>, isBackwards: boolean): List<Item> {
  const pages = async function* () {
    let at: Cursor | undefined;
    for (;;) {
      const { data: page } = await fetchPage(at);
      yield page;
      const next = isBackwards ? page.prev : page.next;
      if (!page.has_more || next === null) return;
      at = next;
    }
  };
  return {
    page: (at) => createCall(fetchPage(at)),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* isBackwards ? [...data].reverse() : data;
    },
  };
}

/** Returns the cursors in a `Link` header. */
export function parseLinkCursors(link: string | null): Pick<Page<never>, 'next' | 'prev'> {
  const next = parseLinkCursor(link, 'next', 'starting_after');
  const prev = parseLinkCursor(link, 'prev', 'ending_before');
  return {
    next: next === null ? null : { starting_after: next },
    prev: prev === null ? null : { ending_before: prev },
  };
}

function parseLinkCursor(link: string | null, rel: string, parameter: string): string | null {
  const pattern = new RegExp(`[?&]${parameter}=([^&>]*)[^<]*rel="${rel}"`);
  const value = pattern.exec(link ?? '')?.[1];
  return value ? decodeURIComponent(value.replaceAll('+', ' ')) : null;
}
