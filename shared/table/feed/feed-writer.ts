import { ApiError } from '../../api-error.ts';
import { createBoundedCache } from '../../bounded-cache.ts';
import { type Inbox, toFeedName } from '../../inbox.ts';
import { raiseGroupBound } from '../group-heads.ts';
import {
  addToChunk,
  type Chunk,
  createChunk,
  getChunkEnd,
  getNewestChunks,
  toChunk,
} from './feed-chunk.ts';
import { ensureMaintenance, expireFullChunk } from './feed-maintenance.ts';

const maxSteps = 1000;

/**
 * Maximum age of a cached chunk: far below a chunk's lifetime, so that no successor of a cached
 * chunk has expired.
 */
const cacheMilliseconds = 60 * 60 * 1000;

/** Appends entries to a feed and returns the sequence number of each. */
export type AppendToFeed = (
  inbox: Inbox,
  entries: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/**
 * Creates a feed writer: see docs/design.md, Events. Sequence numbers have no gaps, and each is
 * used once. After a crash at any point, the next writer resumes. A duplicate entry is possible
 * only if another writer appended the first copy to an earlier chunk.
 */
export function createFeedWriter(): AppendToFeed {
  // A cached chunk may have filled up since it was cached.
  const newestChunks = createBoundedCache<Chunk>(10_000, cacheMilliseconds);
  const appendedSequences = createBoundedCache<number>(20_000);

  return async (inbox, entries) => {
    const feed = toFeedName(inbox);
    const toCacheKey = (entry: string) => `${feed}${entry}`;
    const sequences = new Map<string, number>();
    for (const entry of entries) {
      const sequence = appendedSequences.get(toCacheKey(entry));
      if (sequence !== undefined) sequences.set(entry, sequence);
    }
    for (let steps = 0; steps < maxSteps; steps++) {
      const remaining = [...new Set(entries)].filter((entry) => !sequences.has(entry));
      if (remaining.length === 0) return sequences;
      const known = newestChunks.get(feed);
      const chunk = known
        ? await appendToKnown(inbox, known, remaining)
        : await appendToNewest(inbox, remaining);
      if (!chunk) {
        newestChunks.delete(feed);
        continue;
      }
      newestChunks.set(feed, chunk);
      for (const [n, entry] of chunk.entries.entries()) {
        if (!remaining.includes(entry)) continue;
        sequences.set(entry, chunk.first + n);
        appendedSequences.set(toCacheKey(entry), chunk.first + n);
      }
    }
    throw new ApiError('unavailable');
  };
}

/** The chunk that a step has written or found; `undefined` if the feed's state is unknown. */
type ChunkAfterStep = Promise<Chunk | undefined>;

async function appendToNewest(inbox: Inbox, entries: string[]): ChunkAfterStep {
  const [last, before] = await getNewestChunks(inbox, 2);
  if (!last) return beginChunk(inbox, undefined, entries);
  if (before && before.expires_at === undefined) await expireFullChunk(inbox, before);
  return last.room > 0 ? appendTo(inbox, last, entries) : createNext(inbox, last, entries);
}

async function appendToKnown(inbox: Inbox, known: Chunk, entries: string[]): ChunkAfterStep {
  if (known.room > 0) return appendTo(inbox, known, entries);
  // If the chunk has an expiry, another writer has created at least one later chunk.
  return known.expires_at === undefined ? createNext(inbox, known, entries) : undefined;
}

async function appendTo(inbox: Inbox, { first, room }: Chunk, entries: string[]): ChunkAfterStep {
  const written = await addToChunk(inbox, first, entries.slice(0, room));
  const item = written.done ? written.item : written.found;
  return item && toChunk(item);
}

/**
 * Creates the next chunk, and only then sets the full chunk's expiry, because an expiry implies
 * that the chunk has a successor.
 */
async function createNext(inbox: Inbox, full: Chunk, entries: string[]): ChunkAfterStep {
  const chunk = await beginChunk(inbox, full, entries);
  await expireFullChunk(inbox, full);
  return chunk;
}

/** Creates the chunk after the newest one, unless it exists. */
async function beginChunk(inbox: Inbox, newest: Chunk | undefined, entries: string[]) {
  const first = newest ? getChunkEnd(newest) : 1;
  await Promise.all([
    ensureMaintenance(inbox, newest),
    inbox.kind === 'group' && raiseGroupBound(inbox.id, 'newest_chunk', first),
  ]);
  return createChunk(inbox, first, entries);
}
