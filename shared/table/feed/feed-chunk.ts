import * as v from 'valibot';
import type { Inbox } from '../../inbox.ts';
import {
  type Item,
  lookUpItems,
  putNew,
  queryPage,
  update,
  type WriteResult,
} from '../calls/access.ts';
import { chunkKey, chunkSortPrefix } from '../keys/keys.ts';
import { expiryAttribute, tableKey } from '../keys/names.ts';
import { maxEntryBytes, parseEntry } from './feed-entry.ts';

export interface Chunk extends v.InferOutput<typeof StoredChunk> {
  /** Sequence number of the first entry, at least 1. */
  first: number;
}

const StoredChunk = v.object({
  entries: v.array(v.string()),
  /** Number of entries that still fit. The chunk's creator chooses the initial value. */
  room: v.number(),
  /** Number of entries before the chunk was emptied. An emptied chunk accepts no entries. */
  emptied: v.optional(v.number(), 0),
  /** Unix seconds. Set only if the chunk is full and has a successor. */
  [expiryAttribute]: v.optional(v.number()),
});

const ChunkItem = v.object({ [tableKey.sort]: v.string(), ...StoredChunk.entries });

export function toChunk(item: Item): Chunk {
  const { sk, ...stored } = v.parse(ChunkItem, item);
  return { first: Number(sk.slice(sk.indexOf('#') + 1)), ...stored };
}

/**
 * Returns the first entry's sequence number. For an emptied chunk, returns the last removed
 * entry's sequence number plus 1.
 */
export const getChunkStart = ({ first, emptied }: Chunk): number => first + emptied;

/** Returns the sequence number at which the next chunk starts. */
export const getChunkEnd = (chunk: Chunk): number => getChunkStart(chunk) + chunk.entries.length;

/**
 * Returns the earliest and latest entry times (Unix seconds); `undefined` if there are no entries.
 */
export function getEntryTimes({ entries }: Chunk): { first: number; last: number } | undefined {
  if (entries.length === 0) return undefined;
  const times = entries.map((text) => parseEntry(text).at);
  return { first: Math.min(...times), last: Math.max(...times) };
}

const writeUnitBytes = 1024;
/** Bytes of a chunk, excluding its entries and partition key value. */
const chunkOverheadBytes = 80;

/** Returns the maximum number of entries in one write unit, so that an append costs one unit. */
export const getChunkCapacity = (inbox: Inbox): number =>
  Math.floor(
    (writeUnitBytes - chunkOverheadBytes - chunkKey(inbox, 1).pk.length) / (maxEntryBytes + 1),
  );

export const maxEntriesPerChunk = Math.floor(writeUnitBytes / maxEntryBytes);

/** Creates a chunk with as many entries as fit. If the chunk exists, returns it unchanged. */
export async function createChunk(
  inbox: Inbox,
  first: number,
  firstEntries: readonly string[],
): Promise<Chunk> {
  const capacity = getChunkCapacity(inbox);
  const entries = firstEntries.slice(0, capacity);
  const stored = { entries, room: capacity - entries.length };
  const written = await putNew({ ...chunkKey(inbox, first), ...stored });
  if (written.done) return { first, emptied: 0, ...stored };
  if (!written.found)
    throw new Error('The write failed because a chunk exists, but the reply does not contain it.');
  return toChunk(written.found);
}

/** Appends entries if the chunk has room for all of them and contains none of them. */
export const addToChunk = (inbox: Inbox, first: number, entries: string[]): Promise<WriteResult> =>
  update({
    Key: chunkKey(inbox, first),
    UpdateExpression: 'SET entries = list_append(entries, :entries), room = room - :count',
    ConditionExpression: [
      'room >= :count',
      ...entries.map((_, n) => `NOT contains(entries, :entry${n})`),
    ].join(' AND '),
    ExpressionAttributeValues: {
      ':entries': entries,
      ':count': entries.length,
      ...Object.fromEntries(entries.map((entry, n) => [`:entry${n}`, entry])),
    },
    ReturnValues: 'ALL_NEW',
  });

export async function expireChunk(inbox: Inbox, first: number, expiresAt: number): Promise<void> {
  await update({
    Key: chunkKey(inbox, first),
    UpdateExpression: `SET ${expiryAttribute} = :at`,
    ConditionExpression: `room = :none AND attribute_not_exists(${expiryAttribute})`,
    ExpressionAttributeValues: { ':at': expiresAt, ':none': 0 },
  });
}

export const closeChunk = (inbox: Inbox, { first, room }: Chunk): Promise<boolean> =>
  updateIfUnchanged(inbox, first, room, { UpdateExpression: 'SET room = :none' });

/**
 * Closes a chunk and removes its entries, but retains their count. Returns false if the chunk has
 * changed.
 */
export const emptyChunk = (inbox: Inbox, { first, room, entries }: Chunk): Promise<boolean> =>
  updateIfUnchanged(inbox, first, room, {
    UpdateExpression: 'SET room = :none, entries = :nothing, emptied = :count',
    ExpressionAttributeValues: { ':nothing': [], ':count': entries.length },
  });

/** Updates a chunk if it is unchanged. Compares `room`, which every new entry reduces. */
async function updateIfUnchanged(
  inbox: Inbox,
  first: number,
  room: number,
  set: { UpdateExpression: string; ExpressionAttributeValues?: object },
): Promise<boolean> {
  const { done } = await update({
    Key: chunkKey(inbox, first),
    UpdateExpression: set.UpdateExpression,
    ConditionExpression: 'room = :room AND attribute_not_exists(emptied)',
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ':room': room, ':none': 0 },
  });
  return done;
}

export async function getNewestChunks(inbox: Inbox, limit: number): Promise<Chunk[]> {
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :feed AND begins_with(${tableKey.sort}, :chunks)`,
    ExpressionAttributeValues: { ':feed': chunkKey(inbox, 1).pk, ':chunks': chunkSortPrefix },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
  });
  return items.map(toChunk);
}

/**
 * Reads chunks, up to 100 per table call. Returns a function that finds a chunk by its inbox and
 * first sequence number.
 */
export async function lookUpChunks(
  chunks: readonly { inbox: Inbox; first: number }[],
  options?: { consistent: boolean },
) {
  const toKey = ({ inbox, first }: { inbox: Inbox; first: number }) => chunkKey(inbox, first);
  const findItem = await lookUpItems(chunks.map(toKey), options);
  return (chunk: { inbox: Inbox; first: number }): Chunk | undefined => {
    const item = findItem(toKey(chunk));
    return item && toChunk(item);
  };
}

/**
 * Returns up to `limit` chunks from sequence number `first`, and whether more chunks may follow.
 */
export async function getChunksFrom(
  inbox: Inbox,
  first: number,
  limit: number,
): Promise<{ chunks: Chunk[]; hasMore: boolean }> {
  const { pk, sk } = chunkKey(inbox, first);
  const { items, next } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :feed AND ${tableKey.sort} >= :first`,
    ExpressionAttributeValues: { ':feed': pk, ':first': sk },
    ConsistentRead: true,
    Limit: limit,
  });
  const chunks = items.map(toChunk);
  // Only a full chunk can have a successor.
  return { chunks, hasMore: next !== undefined && chunks.at(-1)?.room === 0 };
}
