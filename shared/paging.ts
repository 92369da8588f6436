import type { Page, PageParameters } from './contract/list.ts';
import { invalid } from './errors.ts';

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

/** What a cursor says: an id, and when it comes from a `Link` header perhaps also the item's place in the list. */
export interface Cursor {
  id: string;
  position: string | undefined;
}

/**
 * Where the page starts, itself not on it: what `read` makes of the cursor; undefined without one, which is at the list's
 * end. Throws `parameter_invalid` with the rule where it makes nothing of it.
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

/** Reads `<id>` or `<id>~<position>`; whether they are good is for the list to say. */
export function parseCursor(value: string): Cursor {
  const [id = '', position] = value.split('~', 2);
  return { id, position };
}

/** The cursor of an item whose id alone does not tell its place. */
export const cursorAt = (id: string, position: number): string => `${id}~${position}`;

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
