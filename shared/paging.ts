import type { Page, PageParameters } from './contract/list.ts';
import { invalid } from './errors.ts';

/** The requested page of a list. */
export interface Paging {
  limit: number;
  /** The page that ends before the cursor, against the list's order. */
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

/** Content of a cursor: an id and, in `Link` headers, possibly the item's position in the list. */
export interface Cursor {
  id: string;
  position: string | undefined;
}

/**
 * Returns the position to start after, as `read` parses the cursor; `undefined` without a cursor.
 * Throws `parameter_invalid` with the rule if `read` returns `undefined`.
 */
export async function startOf<Place>(
  { cursor }: Paging,
  rule: string,
  read: (cursor: Cursor) => Place | undefined | Promise<Place | undefined>,
): Promise<Place | undefined> {
  if (!cursor) return undefined;
  const sequence = await read(parseCursor(cursor.value));
  if (sequence === undefined) throw invalid(cursor.parameter, rule);
  return sequence;
}

/** Parses `<id>` or `<id>~<position>`. The list checks their validity. */
export function parseCursor(value: string): Cursor {
  const [id = '', position] = value.split('~', 2);
  return { id, position };
}

/** Formats the cursor of an item whose id does not contain its position. */
export const cursorAt = (id: string, position: number): string => `${id}~${position}`;

/**
 * Returns a page, in the list's order, of items found in the direction of travel. Request one more
 * than the limit, so that `has_more` is exact. Returns only the first `most` items if not all fit.
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
