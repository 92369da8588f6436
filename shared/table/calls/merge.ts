import * as v from 'valibot';
import { ApiError } from '../../errors.ts';
import { type IndexName, indexes } from '../keys/names.ts';
import { type Item, queryPage } from './access.ts';

/** One partition of an index: items of different conversations, sorted. */
export interface Source {
  index: IndexName;
  partition: string;
}

/** Which part of a list is wanted. */
export interface MergeRange {
  /** Highest sort key first is forwards. */
  backwards: boolean;
  /** The sort key to start from, itself not given; without it, from the list's beginning. */
  from: string | undefined;
  count: number;
}

export interface Merge<Found> extends MergeRange {
  /** Partitions whose sort keys mean the same. */
  sources: Source[];
  /**
   * What an item has if it belongs to the list, as far as the index tells: others are left out
   * before they are sent.
   */
  having?: { expression: string; values: Record<string, unknown> } | undefined;
  /**
   * Of how many items it is asked at most whether they belong to the list: where that costs calls
   * for each of them.
   */
  maxCandidates?: number;
  /** Those of the items that belong to the list, in the order in which they come. */
  choose: (items: Item[]) => Found[] | Promise<Found[]>;
}

/**
 * However many sources share a page, each is asked for that many at first, as one of them may have
 * most of it.
 */
const minPageItems = 11;
/** Where little is left of what was read, more is read, and more at once. */
const growth = 4;
const largestPage = 4000;
const maxPageItems = 1000;
/** What all pages of a request may have together. */
const maxEntries = 100_000;

/**
 * Reads several sorted partitions as if they were one, each conversation once: up to `count` of
 * what is chosen, in the direction of travel, fewer only where all have ended. One query for each
 * source, side by side; more of them only where one source has most of the page, or items are left
 * out. Indexes may be a moment behind the table. Throws `too_many_conversations` where more would
 * have to be read than a request has time for.
 */
export async function mergeSources<Found>(merge: Merge<Found>): Promise<Found[]> {
  const { sources, count, choose, backwards, maxCandidates: mostChosenFrom = 20_000 } = merge;
  const streams = sources.map(beginningOf);
  const found: Found[] = [];
  const seen = new Set<string>();
  let page = Math.min(count, Math.max(minPageItems, Math.ceil((growth * count) / sources.length)));
  let wanted = count;
  let read = 0;
  let asked = 0;
  let due = streams;
  for (;;) {
    read += page * due.length;
    if (read > maxEntries) throw new ApiError('too_many_conversations');
    await Promise.all(due.map((stream) => readOn(stream, merge, page)));
    page = Math.min(growth * page, largestPage);
    for (;;) {
      const items = inOrder(
        streams.flatMap((one) => one.items),
        backwards,
      );
      // What a stream has not been read up to yet may come before.
      const end = items[wanted - 1]?.position;
      due = streams.filter(
        ({ reached }) => reached !== undefined && isBefore(reached, end, backwards),
      );
      if (due.length > 0) break;
      const taken = items.slice(0, wanted);
      if (taken.length === 0) return found;
      const last = taken.at(-1)?.position;
      for (const stream of streams) {
        stream.items = stream.items.filter(({ position }) => isBefore(last, position, backwards));
      }
      // What moves while it is read may be met a second time.
      const fresh = taken.filter(({ pk }) => !seen.has(pk));
      for (const { pk } of fresh) seen.add(pk);
      asked += fresh.length;
      if (asked > mostChosenFrom) throw new ApiError('too_many_conversations');
      found.push(...(await choose(fresh.map(({ item }) => item))));
      if (found.length >= count) return found.slice(0, count);
      wanted = Math.min(growth * wanted, maxPageItems);
    }
  }
}

/**
 * An item with its partition key of the table, which names its conversation, and its sort key of
 * the index.
 */
interface Placed extends v.InferOutput<typeof Place> {
  item: Item;
}
const Place = v.object({ pk: v.string(), position: v.string() });

/** One source as far as it has been read. */
interface Stream {
  source: Source;
  /** What has been read of it, but not been taken yet. */
  items: Placed[];
  /** The sort key up to which it has been read; undefined at its end. */
  reached: string | undefined;
  next: Item | undefined;
}

const beginningOf = (source: Source): Stream => ({
  source,
  items: [],
  reached: undefined,
  next: undefined,
});

/** Whether one comes before the other on the way; everything does where there is no other. */
const isBefore = (one = '', other: string | undefined, backwards: boolean): boolean =>
  other === undefined || (backwards ? one < other : one > other);

/** Sorted in the direction of travel; of items that several sources have, the first. */
function inOrder(items: Placed[], backwards: boolean): Placed[] {
  const sign = backwards ? -1 : 1;
  items.sort((a, b) => (a.position < b.position ? sign : -sign));
  const byConversation = new Map<string, Placed>();
  for (const one of items) if (!byConversation.has(one.pk)) byConversation.set(one.pk, one);
  return [...byConversation.values()];
}

async function readOn(
  stream: Stream,
  { backwards, from, having }: Merge<unknown>,
  limit: number,
): Promise<void> {
  const { index, partition: value } = stream.source;
  const { partition, sort } = indexes[index];
  const beyond = `${sort} ${backwards ? '>' : '<'} :from`;
  const page = await queryPage({
    IndexName: index,
    KeyConditionExpression: `${partition} = :partition${from === undefined ? '' : ` AND ${beyond}`}`,
    ...(having && { FilterExpression: having.expression }),
    ExpressionAttributeValues: {
      ':partition': value,
      ...(from !== undefined && { ':from': from }),
      ...having?.values,
    },
    ScanIndexForward: backwards,
    Limit: limit,
    ExclusiveStartKey: stream.next,
  });
  stream.items.push(
    ...page.items.map((item) => ({ ...v.parse(Place, { ...item, position: item[sort] }), item })),
  );
  stream.next = page.next;
  stream.reached = page.next && v.parse(v.string(), page.next[sort]);
}
