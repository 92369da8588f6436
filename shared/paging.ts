import { mostReplyBytes, type Page, type PageParameters } from './contract/list.ts';

/** Which page of a list is wanted. */
export interface Paging {
  limit: number;
  /** Against the list's own order: the page that ends before the cursor. */
  backwards: boolean;
  cursor: { parameter: 'starting_after' | 'ending_before'; value: string } | undefined;
}

export function pagingOf({ limit, starting_after, ending_before }: PageParameters): Paging {
  if (ending_before !== undefined) {
    return { limit, backwards: true, cursor: { parameter: 'ending_before', value: ending_before } };
  }
  const cursor =
    starting_after === undefined
      ? undefined
      : ({ parameter: 'starting_after', value: starting_after } as const);
  return { limit, backwards: false, cursor };
}

/**
 * A page of what was found in the direction of travel: ask for one more than the limit, so that it is known whether
 * there is more. Only the first `most` of them are given, where not all can be. The page is in the list's own order.
 */
export function pageOf<Item>(
  found: Item[],
  { limit, backwards }: Paging,
  cursorOf: (item: Item) => string,
  most = found.length,
): Page<Item> {
  const data = found.slice(0, Math.min(limit, most));
  if (backwards) data.reverse();
  const [first, last] = [data[0], data.at(-1)];
  return {
    data,
    has_more: found.length > data.length,
    ...(first !== undefined && { first: cursorOf(first) }),
    ...(last !== undefined && { last: cursorOf(last) }),
  };
}

/** Lambda answers with JSON that holds the reply as text: its 6 MB count what that adds. */
const mostEscapedBytes = 6_000_000;

/** How many of the items, from the first, one reply can hold; one at least. */
export function mostFitting(items: object[]): number {
  let [bytes, escaped] = [0, 0];
  const over = items.findIndex((item) => {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text);
    escaped += Buffer.byteLength(JSON.stringify(text));
    return bytes > mostReplyBytes || escaped > mostEscapedBytes;
  });
  return over === -1 ? items.length : Math.max(1, over);
}
