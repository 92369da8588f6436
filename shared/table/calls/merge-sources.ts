import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import { type IndexName, indexes } from '../keys/names.ts';
import { type Item, queryPage } from './access.ts';

/** One partition of an index: sorted items of different conversations. */
export interface Source {
  index: IndexName;
  partition: string;
}

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
  filter?: { expression: string; values: Record<string, unknown> } | undefined;
  /** Maximum items passed to `choose`, if it makes calls for each of them. */
  maxCandidates?: number;
  /** Returns the items that belong to the list, in the given order. */
  choose: (items: Item[]) => Found[] | Promise<Found[]>;
}

/** Minimum items read per source at first: one of many sources may supply most of the page. */
const minItemsPerQuery = 11;
/** Growth of pages, if few of the items read belong to the list. */
export const pageGrowth = 4;

/** Returns the number of items to read from each source at first. */
export const getFirstPageSize = (count: number, sources: number): number =>
  Math.min(count, Math.max(minItemsPerQuery, Math.ceil((pageGrowth * count) / sources)));

const maxItemsPerQuery = 4000;
const maxBatchSize = 1000;
/** Maximum items read per request, over all pages. */
const maxItemsRead = 100_000;

/**
 * Merges sorted partitions and returns up to `count` chosen items, each conversation once; fewer
 * only at the end. Makes one concurrent query per source, and more if one supplies most of the page
 * or items are filtered out. Indexes may be stale. Throws `too_many_conversations`.
 */
export async function mergeSources<Found>(merge: Merge<Found>): Promise<Found[]> {
  const { sources, count, choose, backwards, maxCandidates = 20_000 } = merge;
  const streams = sources.map(createStream);
  const found: Found[] = [];
  const seen = new Set<string>();
  let queryLimit = getFirstPageSize(count, sources.length);
  let batchSize = count;
  let itemsRead = 0;
  let candidateCount = 0;
  let dueStreams = streams;
  for (;;) {
    itemsRead += queryLimit * dueStreams.length;
    if (itemsRead > maxItemsRead) throw new ApiError('too_many_conversations');
    await Promise.all(dueStreams.map((stream) => readNextPage(stream, merge, queryLimit)));
    queryLimit = Math.min(pageGrowth * queryLimit, maxItemsPerQuery);
    for (;;) {
      const unread = streams.flatMap((one) => one.items);
      const items = sortAndDeduplicate(unread, backwards);
      // Unread items of this source may come first.
      const end = items[batchSize - 1]?.position;
      dueStreams = streams.filter(
        ({ reached }) => reached !== undefined && isBefore(reached, end, backwards),
      );
      if (dueStreams.length > 0) break;
      const batch = items.slice(0, batchSize);
      if (batch.length === 0) return found;
      const last = batch.at(-1)?.position;
      for (const stream of streams) {
        stream.items = stream.items.filter(({ position }) => isBefore(last, position, backwards));
      }
      // A conversation that moves while it is read may appear twice.
      const newItems = batch.filter(({ pk }) => !seen.has(pk));
      for (const { pk } of newItems) seen.add(pk);
      candidateCount += newItems.length;
      if (candidateCount > maxCandidates) throw new ApiError('too_many_conversations');
      found.push(...(await choose(newItems.map(({ item }) => item))));
      if (found.length >= count) return found.slice(0, count);
      batchSize = Math.min(pageGrowth * batchSize, maxBatchSize);
    }
  }
}

interface PositionedItem extends v.InferOutput<typeof PositionedKey> {
  item: Item;
}
const PositionedKey = v.object({ pk: v.string(), position: v.string() });

interface SourceStream {
  source: Source;
  /** Items read but not taken. */
  items: PositionedItem[];
  /** Sort key up to which the source has been read; `undefined` at its end. */
  reached: string | undefined;
  next: Item | undefined;
}

const createStream = (source: Source): SourceStream => ({
  source,
  items: [],
  reached: undefined,
  next: undefined,
});

/** Reports whether a key precedes another in the direction of travel; true without another. */
const isBefore = (one = '', other: string | undefined, backwards: boolean): boolean =>
  other === undefined || (backwards ? one < other : one > other);

/** Sorts items in the direction of travel and keeps the first of each conversation. */
function sortAndDeduplicate(items: PositionedItem[], backwards: boolean): PositionedItem[] {
  const sign = backwards ? -1 : 1;
  items.sort((a, b) => (a.position < b.position ? sign : -sign));
  const byConversation = new Map<string, PositionedItem>();
  for (const one of items) if (!byConversation.has(one.pk)) byConversation.set(one.pk, one);
  return [...byConversation.values()];
}

async function readNextPage(
  stream: SourceStream,
  { backwards, from, filter }: Merge<unknown>,
  limit: number,
): Promise<void> {
  const { index, partition: value } = stream.source;
  const { partition, sort } = indexes[index];
  const beyond = `${sort} ${backwards ? '>' : '<'} :from`;
  const page = await queryPage({
    IndexName: index,
    KeyConditionExpression: `${partition} = :partition${from === undefined ? '' : ` AND ${beyond}`}`,
    ...(filter && { FilterExpression: filter.expression }),
    ExpressionAttributeValues: {
      ':partition': value,
      ...(from !== undefined && { ':from': from }),
      ...filter?.values,
    },
    ScanIndexForward: backwards,
    Limit: limit,
    ExclusiveStartKey: stream.next,
  });
  stream.items.push(
    ...page.items.map((item) => ({
      ...v.parse(PositionedKey, { ...item, position: item[sort] }),
      item,
    })),
  );
  stream.next = page.next;
  stream.reached = page.next && v.parse(v.string(), page.next[sort]);
}
