import * as v from 'valibot';
import type { Inbox } from '../../inbox.ts';
import { type Item, putNew, queryPage, update, type Written } from '../calls/access.ts';
import { chunkKey } from '../keys/keys.ts';
import { expiryAttribute, tableKey } from '../keys/names.ts';
import { longestText } from './entry.ts';

/** Some of a feed's entries, one place after the other. */
export interface Chunk extends v.InferOutput<typeof StoredChunk> {
  /** The place of the first one, from 1. */
  first: number;
}

const StoredChunk = v.object({
  entries: v.array(v.string()),
  /** How many more it takes. Said by whoever begins it, so that all writers agree when it is full. */
  room: v.number(),
  /** Unix seconds; only of a chunk that is full, and has a next one. */
  [expiryAttribute]: v.optional(v.number()),
});

const ItemOfChunk = v.object({ [tableKey.sort]: v.string(), ...StoredChunk.entries });

export function toChunk(item: Item): Chunk {
  const { sk, ...stored } = v.parse(ItemOfChunk, item);
  return { first: Number(sk.slice(sk.indexOf('#') + 1)), ...stored };
}

/** The place after its last one: where the next chunk begins once this is full. */
export const endOf = ({ first, entries }: Chunk): number => first + entries.length;

/** What a write unit buys. */
const chunkBytes = 1024;
/** Names of attributes and what they hold beside the partition's key and the entries. */
const otherBytes = 80;

/** How many entries fit below a write unit, so that each append costs one. */
export const capacityOf = (inbox: Inbox): number =>
  Math.floor((chunkBytes - otherBytes - chunkKey(inbox, 1).pk.length) / (longestText + 1));

/** No chunk of any inbox takes more. */
export const mostInChunk = Math.floor(chunkBytes / longestText);

/** Begins a chunk with at most as many entries as it takes, if there is none yet; else gives the one that there is. */
export async function beginChunk(inbox: Inbox, first: number, entries: string[]): Promise<Chunk> {
  const stored = { entries, room: capacityOf(inbox) - entries.length };
  const written = await putNew({ ...chunkKey(inbox, first), ...stored });
  if (written.done) return { first, ...stored };
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

/** The newest chunks, the newest first. */
export async function newestChunks(inbox: Inbox, limit: number): Promise<Chunk[]> {
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :feed`,
    ExpressionAttributeValues: { ':feed': chunkKey(inbox, 1).pk },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
  });
  return items.map(toChunk);
}

/** Up to `limit` chunks from the one that begins at `first` on, and whether there may be more. */
export async function chunksFrom(
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
