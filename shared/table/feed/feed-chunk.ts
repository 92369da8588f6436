import * as v from 'valibot';
import type { Inbox } from '../../inbox.ts';
import { type Item, putNew, queryPage, update, type Written } from '../calls/access.ts';
import { chunkKey, chunkSortPrefix } from '../keys/keys.ts';
import { expiryAttribute, tableKey } from '../keys/names.ts';
import { maxEntryBytes, parseEntry } from './feed-entry.ts';

/** Some of a feed's entries, one place after the other. */
export interface Chunk extends v.InferOutput<typeof StoredChunk> {
  /** The place of the first one, from 1. */
  first: number;
}

const StoredChunk = v.object({
  entries: v.array(v.string()),
  /** How many more it takes. Said by whoever begins it, so that all writers agree when it is full. */
  room: v.number(),
  /** How many entries it had: it has none any more, and takes none. */
  emptied: v.optional(v.number(), 0),
  /** Unix seconds; only of a chunk that is full, and has a next one. */
  [expiryAttribute]: v.optional(v.number()),
});

const ChunkItem = v.object({ [tableKey.sort]: v.string(), ...StoredChunk.entries });

export function toChunk(item: Item): Chunk {
  const { sk, ...stored } = v.parse(ChunkItem, item);
  return { first: Number(sk.slice(sk.indexOf('#') + 1)), ...stored };
}

/** The place of the first one that it still has, or the place after its last. */
export const getChunkStart = ({ first, emptied }: Chunk): number => first + emptied;

/** The place after its last one: where the next chunk begins once this is full. */
export const getChunkEnd = (chunk: Chunk): number => getChunkStart(chunk) + chunk.entries.length;

/** When the first and the last of its entries happened (Unix seconds); undefined where it has none. */
export function getEntryTimes({ entries }: Chunk): { first: number; last: number } | undefined {
  if (entries.length === 0) return undefined;
  const times = entries.map((text) => parseEntry(text).at);
  return { first: Math.min(...times), last: Math.max(...times) };
}

/** What a write unit buys. */
const writeUnitBytes = 1024;
/** Names of attributes and what they hold beside the partition's key and the entries. */
const chunkOverheadBytes = 80;

/** How many entries fit below a write unit, so that each append costs one. */
export const getChunkCapacity = (inbox: Inbox): number =>
  Math.floor(
    (writeUnitBytes - chunkOverheadBytes - chunkKey(inbox, 1).pk.length) / (maxEntryBytes + 1),
  );

/** No chunk of any inbox takes more. */
export const maxEntriesPerChunk = Math.floor(writeUnitBytes / maxEntryBytes);

/** Begins a chunk with at most as many entries as it takes, if there is none yet; else gives the one that there is. */
export async function createChunk(inbox: Inbox, first: number, entries: string[]): Promise<Chunk> {
  const stored = { entries, room: getChunkCapacity(inbox) - entries.length };
  const written = await putNew({ ...chunkKey(inbox, first), ...stored });
  if (written.done) return { first, emptied: 0, ...stored };
  if (!written.found) throw new Error('A chunk that stands in the way is not shown.');
  return toChunk(written.found);
}

/** Adds entries to a chunk that has room for all, and none of them yet. */
export const addToChunk = (inbox: Inbox, first: number, entries: string[]): Promise<Written> =>
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

/** Has a full chunk removed some time after `expiresAt` (Unix seconds), if nobody has said so before. */
export async function expireChunk(inbox: Inbox, first: number, expiresAt: number): Promise<void> {
  await update({
    Key: chunkKey(inbox, first),
    UpdateExpression: `SET ${expiryAttribute} = :at`,
    ConditionExpression: `room = :none AND attribute_not_exists(${expiryAttribute})`,
    ExpressionAttributeValues: { ':at': expiresAt, ':none': 0 },
  });
}

/** It takes no more from now on; false if it is not as it was read. */
export const closeChunk = (inbox: Inbox, { first, room }: Chunk): Promise<boolean> =>
  updateIfUnchanged(inbox, first, room, { UpdateExpression: 'SET room = :none' });

/** It takes no more from now on and has no entries, only their places; false if it is not as it was read. */
export const emptyChunk = (inbox: Inbox, { first, room, entries }: Chunk): Promise<boolean> =>
  updateIfUnchanged(inbox, first, room, {
    UpdateExpression: 'SET room = :none, entries = :nothing, emptied = :count',
    ExpressionAttributeValues: { ':nothing': [], ':count': entries.length },
  });

/** Each entry takes room: so while it has as much, it has the same entries, or none any more. */
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

/** The newest chunks, the newest first. */
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

/** Up to `limit` chunks from the one that begins at `first` on, and whether there may be more. */
export async function getChunksFrom(
  inbox: Inbox,
  first: number,
  limit: number,
): Promise<{ chunks: Chunk[]; more: boolean }> {
  const { pk, sk } = chunkKey(inbox, first);
  const { items, next } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :feed AND ${tableKey.sort} >= :first`,
    ExpressionAttributeValues: { ':feed': pk, ':first': sk },
    ConsistentRead: true,
    Limit: limit,
  });
  const chunks = items.map(toChunk);
  // Only a full one may have a next.
  return { chunks, more: next !== undefined && chunks.at(-1)?.room === 0 };
}
