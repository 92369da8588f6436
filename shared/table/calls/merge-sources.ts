import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import { type IndexName, indexes } from '../keys/names.ts';
import { type Item, queryPage } from './access.ts';

/** One partition of an index. Each item in the partition belongs to a different conversation. */
export interface Source {
  index: IndexName;
  partition: string;
  /** Upper bound of the sort keys. If undefined, the first round reads the source. */
  bound?: string | undefined;
}

export interface MergeRange {
  /** Whether to return the lowest sort keys first, instead of the highest. */
  backwards: boolean;
  /** Sort key to start after; `undefined` starts at the beginning of the list. */
  from: string | undefined;
  count: number;
}

export interface Merge<Found> extends MergeRange {
  /** Partitions with comparable sort keys. */
  sources: Source[];
  /** Further sources, for which the first round of queries does not wait. */
  laterSources?: Promise<Source[]>;
  filter?: { expression: string; values: Record<string, unknown> } | undefined;
  /**
   * Maximum number of items passed to `choose`, which may make calls for each item. Default:
   * 20,000.
   */
  maxCandidates?: number;
  /** Returns the items that belong to the list, in unchanged order. */
  choose: (items: Item[]) => Found[] | Promise<Found[]>;
}

/**
 * Minimum number of items in a source's first query, because one source may supply most items. If
 * the requested page is smaller, the page size applies instead.
 */
const minItemsPerQuery = 11;
/** Factor by which pages, batches and rounds grow. */
export const pageGrowth = 4;

export const getFirstPageSize = (count: number, sources: number): number =>
  Math.min(count, Math.max(minItemsPerQuery, Math.ceil((pageGrowth * count) / sources)));

const maxItemsPerQuery = 4000;
const maxBatchSize = 1000;
/** Maximum total number of items that a merge may request in its queries. */
const maxItemsRead = 100_000;
/** Maximum number of sources in the first round, unless more sources may have the first item. */
const minSourcesPerRound = 10;

/**
 * Merges sorted partitions and returns `count` chosen items, or fewer at the end of the list.
 * Returns each conversation once. Queries a source only if it may supply an item of the page. A
 * round queries its sources concurrently. The maximum number of sources quadruples from round to
 * round. Results may be stale. Throws `too_many_conversations` above `maxCandidates` or
 * `maxItemsRead`.
 */
export async function mergeSources<Found>(merge: Merge<Found>): Promise<Found[]> {
  const { count, choose, backwards, maxCandidates = 20_000 } = merge;
  const streams = createStreams(merge);
  let laterStreams = merge.laterSources?.then((sources) => createStreams({ ...merge, sources }));
  laterStreams?.catch(() => {});
  const found: Found[] = [];
  const seen = new Set<string>();
  let batchSize = count;
  let maxStreams = minSourcesPerRound;
  let itemsRead = 0;
  let candidateCount = 0;
  for (;;) {
    const unread = streams.flatMap((one) => one.items);
    const items = sortAndDeduplicate(unread, backwards);
    const due = findDueStreams(streams, items, backwards, { batchSize, maxStreams });
    if (due.length > 0) {
      for (const { limit } of due) itemsRead += limit;
      if (itemsRead > maxItemsRead) throw new ApiError('too_many_conversations');
      await Promise.all(due.map((stream) => readNextPage(stream, merge)));
      maxStreams *= pageGrowth;
    }
    if (laterStreams) streams.push(...(await laterStreams));
    if (laterStreams || due.length > 0) {
      laterStreams = undefined;
      continue;
    }
    const batch = items.slice(0, batchSize);
    if (batch.length === 0) return found;
    const last = batch.at(-1)?.position;
    for (const stream of streams) {
      stream.items = stream.items.filter(({ position }) => isBefore(last, position, backwards));
    }
    // If a conversation's activity changes during the read, the conversation may appear twice.
    const newItems = batch.filter(({ pk }) => !seen.has(pk));
    for (const { pk } of newItems) seen.add(pk);
    candidateCount += newItems.length;
    if (candidateCount > maxCandidates) throw new ApiError('too_many_conversations');
    found.push(...(await choose(newItems.map(({ item }) => item))));
    if (found.length >= count) return found.slice(0, count);
    batchSize = Math.min(pageGrowth * batchSize, maxBatchSize);
  }
}

interface PositionedItem extends v.InferOutput<typeof PositionedKey> {
  item: Item;
}
const PositionedKey = v.object({ pk: v.string(), position: v.string() });

interface SourceStream {
  source: Source;
  /** Items that were read but not yet merged. */
  items: PositionedItem[];
  /** Sort key up to which the source is read; `undefined` at the end of the source. */
  reached: string | undefined;
  next: Item | undefined;
  limit: number;
}

const [lowest, highest] = ['', '~'];

function createStreams({ sources, count, backwards, from }: Merge<unknown>): SourceStream[] {
  const start = from ?? (backwards ? lowest : highest);
  const limit = getFirstPageSize(count, sources.length);
  return sources.flatMap(({ bound = highest, ...source }) => {
    const isAbove = bound > start;
    if (backwards && !isAbove) return [];
    const reached = isAbove ? start : bound;
    return [{ source, items: [], reached, next: undefined, limit }];
  });
}

/**
 * Returns, nearest first, the streams that may have one of the first `batchSize` items. Returns at
 * most `maxStreams` streams, unless more streams may have the first item.
 */
function findDueStreams(
  streams: SourceStream[],
  items: PositionedItem[],
  backwards: boolean,
  { batchSize, maxStreams }: { batchSize: number; maxStreams: number },
): SourceStream[] {
  const unfinished = streams
    .flatMap((stream) => (stream.reached === undefined ? [] : { stream, at: stream.reached }))
    .sort(
      (a, b) => Number(isBefore(b.at, a.at, backwards)) - Number(isBefore(a.at, b.at, backwards)),
    );
  const first = unfinished[0]?.at;
  const due = unfinished.filter(({ at }, rank) => {
    const preceding = items.filter(({ position }) => !isBefore(at, position, backwards));
    return preceding.length + (at === first ? 0 : rank) < batchSize;
  });
  return due.flatMap(({ stream, at }, rank) => (rank < maxStreams || at === first ? stream : []));
}

/** Reports whether `one` precedes `other` in reading order; true if `other` is undefined. */
const isBefore = (one = '', other: string | undefined, backwards: boolean): boolean =>
  other === undefined || (backwards ? one < other : one > other);

/** Sorts items in the reading direction, and keeps only the first of each conversation. */
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
    Limit: stream.limit,
    ExclusiveStartKey: stream.next,
  });
  stream.items.push(
    ...page.items.map((item) => ({
      ...v.parse(PositionedKey, { ...item, position: item[sort] }),
      item,
    })),
  );
  stream.limit = Math.min(pageGrowth * stream.limit, maxItemsPerQuery);
  stream.next = page.next;
  stream.reached = page.next && v.parse(v.string(), page.next[sort]);
}
