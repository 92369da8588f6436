import { createBoundedCache } from '../../bounded-cache.ts';
import { clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { feedName, type Inbox } from '../../inbox.ts';
import {
  addToChunk,
  type Chunk,
  createChunk,
  getChunkCapacity,
  getChunkEnd,
  getNewestChunks,
  toChunk,
} from './feed-chunk.ts';
import { ensureMaintenance, expireFullChunk } from './feed-retention.ts';

const maxSteps = 1000;

/** A chunk as it was met last, in milliseconds: it may be full by now, and others newer. */
interface CachedChunk {
  chunk: Chunk;
  at: number;
}
/** Far below what a chunk lives, so that nobody goes on from one that came before some that are gone. */
const cacheMilliseconds = 60 * 60 * 1000;

/** Appends entries to a feed, and gives the place of each. */
export type AppendToFeed = (
  inbox: Inbox,
  entries: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/**
 * What appends to feeds, with a memory of its own. Entries come in the given order. A feed is a log in chunks:
 *
 * - writers only add to the newest chunk, and that only while it has room;
 * - the next one is begun by who has seen it full, at the place after its last, on condition that it does not exist;
 * - only then is the full one given a time to live; whoever learns of a chunk first makes sure that the one before has it;
 * - a chunk that nobody fills is emptied when it is old (look-after.ts): then it is full, and its places are known.
 *
 * So places have no gaps and are given once, the newest chunk never goes, and whatever dies at whatever moment, who comes
 * next goes on. An entry that is in the chunk already is not added again, nor one that this very writer has added; one that
 * another has added to an earlier chunk may be.
 */
export function createFeedWriter(): AppendToFeed {
  const newestChunks = createBoundedCache<CachedChunk>(10_000);
  const appendedSequences = createBoundedCache<number>(20_000);

  return async (inbox, entries) => {
    const feed = feedName(inbox);
    const keyOf = (entry: string) => `${feed}${entry}`;
    const sequences = new Map<string, number>();
    for (const entry of entries) {
      const sequence = appendedSequences.get(keyOf(entry));
      if (sequence !== undefined) sequences.set(entry, sequence);
    }
    for (let steps = 0; steps < maxSteps; steps++) {
      const remaining = [...new Set(entries)].filter((entry) => !sequences.has(entry));
      if (remaining.length === 0) return sequences;
      const cached = newestChunks.get(feed);
      const known =
        cached && clock.now() - cached.at < cacheMilliseconds ? cached.chunk : undefined;
      const chunk = known
        ? await appendToKnown(inbox, known, remaining)
        : await appendToNewest(inbox, remaining);
      if (!chunk) {
        newestChunks.forget(feed);
        continue;
      }
      newestChunks.set(feed, { chunk, at: clock.now() });
      for (const [n, entry] of chunk.entries.entries()) {
        if (!remaining.includes(entry)) continue;
        sequences.set(entry, chunk.first + n);
        appendedSequences.set(keyOf(entry), chunk.first + n);
      }
    }
    throw new ApiError('unavailable');
  };
}

/** Each gives the chunk with what it holds then, which may be some of the entries or none; undefined where nothing is known. */
type ChunkAfterStep = Promise<Chunk | undefined>;

async function appendToNewest(inbox: Inbox, entries: string[]): ChunkAfterStep {
  const [last, before] = await getNewestChunks(inbox, 2);
  if (!last) {
    await ensureMaintenance(inbox, undefined);
    return createChunk(inbox, 1, entries.slice(0, getChunkCapacity(inbox)));
  }
  if (before && before.expires_at === undefined) await expireFullChunk(inbox, before);
  return last.room > 0 ? appendTo(inbox, last, entries) : createNext(inbox, last, entries);
}

async function appendToKnown(inbox: Inbox, known: Chunk, entries: string[]): ChunkAfterStep {
  if (known.room > 0) return appendTo(inbox, known, entries);
  // Somebody has begun the next one, and others may have come since.
  return known.expires_at === undefined ? createNext(inbox, known, entries) : undefined;
}

async function appendTo(inbox: Inbox, { first, room }: Chunk, entries: string[]): ChunkAfterStep {
  const written = await addToChunk(inbox, first, entries.slice(0, room));
  const item = written.done ? written.item : written.found;
  return item && toChunk(item);
}

/** The chunk after a full one, begun with the first of the entries unless it is there. */
async function createNext(inbox: Inbox, full: Chunk, entries: string[]): ChunkAfterStep {
  await ensureMaintenance(inbox, full);
  const chunk = await createChunk(
    inbox,
    getChunkEnd(full),
    entries.slice(0, getChunkCapacity(inbox)),
  );
  await expireFullChunk(inbox, full);
  return chunk;
}
