import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import { type IndexName, indexes } from '../keys/names.ts';
import { type Item, queryPage } from './access.ts';

/** One partition of an index: sorted items of different conversations. */
export interface Source {
  index: IndexName;
  partition: string;
}

/** The requested part of a list. */
export interface MergeRange {
  /** Lowest sort key first. Forwards is highest first. */
  backwards: boolean;
  /** Sort key to start from, exclusive; without it, the start of the list. */
  from: string | undefined;
  count: number;
}

export interface Merge<Found> extends MergeRange {
  /** Partitions with comparable sort keys. */
  sources: Source[];
  /** Filter on index attributes, applied before items are returned. */
  having?: { expression: string; values: Record<string, unknown> } | undefined;
  /** Maximum items passed to `choose`, if it makes calls for each of them. */
  maxCandidates?: number;
  /** Returns the items that belong to the list, in the given order. */
  choose: (items: Item[]) => Found[] | Promise<Found[]>;
}

/** Minimum items read per source at first: one of many sources may supply most of the page. */
const minPageItems = 11;
/** Growth of pages, if few of the items read belong to the list. */
const growth = 4;
const largestPage = 4000;
const maxPageItems = 1000;
/** Maximum items read per request, over all pages. */
const maxEntries = 100_000;

/**
 * Merges sorted partitions and returns up to `count` chosen items in the direction of travel, each
 * conversation once; fewer only at the end of all partitions. Makes one concurrent query per
 * source, and more if one source supplies most of the page or items are filtered out. Indexes may
 * be stale. Throws `too_many_conversations` if more would have to be read than a request has time
 * for.
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
      // Unread items of this source may come first.
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
      // A conversation that moves while it is read may appear twice.
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

/** An item with its table partition key, which names its conversation, and its index sort key. */
interface Placed extends v.InferOutput<typeof Place> {
  item: Item;
}
const Place = v.object({ pk: v.string(), position: v.string() });

/** A source and how far it has been read. */
interface Stream {
  source: Source;
  /** Items read but not taken. */
  items: Placed[];
  /** Sort key up to which the source has been read; `undefined` at its end. */
  reached: string | undefined;
  next: Item | undefined;
}

const beginningOf = (source: Source): Stream => ({
  source,
  items: [],
  reached: undefined,
  next: undefined,
});

/**
 * Reports whether one key precedes the other in the direction of travel; true if there is no other.
 */
const isBefore = (one = '', other: string | undefined, backwards: boolean): boolean =>
  other === undefined || (backwards ? one < other : one > other);

/** Sorts items in the direction of travel and keeps the first of each conversation. */
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
