import { invalidParameter } from './api-error.ts';
import { maxReplyBytes, type Page, type PageParameters } from './contract/schema/list-schema.ts';

export interface Paging {
  limit: number;
  /** Items to read: one more than the limit, so that `has_more` is exact. */
  count: number;
  /** Whether to read the page before the cursor, in reverse list order. */
  backwards: boolean;
  cursor: { parameter: 'starting_after' | 'ending_before'; value: string } | undefined;
}

export function toPaging({ limit, starting_after, ending_before }: PageParameters): Paging {
  const backwards = ending_before !== undefined;
  const parameter = backwards ? 'ending_before' : 'starting_after';
  const value = ending_before ?? starting_after;
  return {
    limit,
    count: limit + 1,
    backwards,
    cursor: value === undefined ? undefined : { parameter, value },
  };
}

/** An item's id and, in some `Link` headers, the item's position in the list. */
export interface Cursor {
  id: string;
  position: string | undefined;
}

/**
 * Returns the cursor's position; `undefined` if there is no cursor. Throws `parameter_invalid` with
 * `rule` if `read` finds no position.
 */
export async function resolveCursor<Position>(
  { cursor }: Paging,
  rule: string,
  read: (cursor: Cursor) => Position | undefined | Promise<Position | undefined>,
): Promise<Position | undefined> {
  if (!cursor) return undefined;
  const start = await read(parseCursor(cursor.value));
  if (start === undefined) throw invalidParameter(cursor.parameter, rule);
  return start;
}

/** Parses `<id>` or `<id>~<position>`. Each list validates both parts. */
export function parseCursor(value: string): Cursor {
  const [id = '', position] = value.split('~', 2);
  return { id, position };
}

/** Returns a cursor for an item whose id does not contain its position. */
export const formatCursor = (id: string, position: number): string => `${id}~${position}`;

/**
 * Returns a page of at most `limit` and at most `maxItems` items. `items` is in reading order, and
 * the page is in list order.
 */
export function toPage<Item>(
  items: Item[],
  { limit, backwards }: Pick<Paging, 'limit' | 'backwards'>,
  toCursor: (item: Item) => string,
  maxItems = items.length,
): Page<Item> {
  const data = items.slice(0, Math.min(limit, maxItems));
  if (backwards) data.reverse();
  const [first, last] = [data[0], data.at(-1)];
  return {
    data,
    has_more: items.length > data.length,
    ...(first !== undefined && { first: toCursor(first) }),
    ...(last !== undefined && { last: toCursor(last) }),
  };
}

/** Maximum size in bytes of a reply escaped as a JSON string, the form that Lambda returns. */
const maxEscapedBytes = 6_000_000;

/**
 * Returns the number of leading items that fit in one reply. Counts the first item even if it does
 * not fit.
 */
export function countFitting(items: object[]): number {
  let [bytes, escaped] = [0, 0];
  const firstOverflow = items.findIndex((item) => {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text);
    escaped += Buffer.byteLength(JSON.stringify(text));
    return bytes > maxReplyBytes || escaped > maxEscapedBytes;
  });
  return firstOverflow === -1 ? items.length : Math.max(1, firstOverflow);
}
