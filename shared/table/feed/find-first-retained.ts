import type { Inbox } from '../../inbox.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunksFrom,
  getNewestChunks,
  maxEntriesPerChunk,
} from './feed-chunk.ts';

/**
 * Reports whether the chunk still holds entries at `now` (Unix seconds). DynamoDB may take days to
 * remove an expired item, so expired chunks are ignored. A chunk that an erasure emptied keeps its
 * expiry, which may be a month away.
 */
export const isRetained = ({ expires_at, emptied }: Chunk, now: number): boolean =>
  emptied === 0 && (expires_at === undefined || expires_at > now);

/**
 * Returns a sequence number, from `from` on, with at most one chunk that is not retained between it
 * and the first retained entry. If no chunk is retained, returns that of the newest chunk. Searches
 * by bisection, because there may be a month of expired or emptied chunks.
 */
export async function findFirstRetained(inbox: Inbox, from: number, now: number): Promise<number> {
  const [newest] = await getNewestChunks(inbox, 1);
  const end = newest?.first ?? from;
  let low = from;
  let high = end;
  while (high - low > maxEntriesPerChunk) {
    const middle = Math.floor((low + high) / 2);
    const { chunks } = await getChunksFrom(inbox, middle, 1);
    const [chunk] = chunks;
    if (chunk && !isRetained(chunk, now)) low = getChunkEnd(chunk);
    else high = middle;
  }
  return Math.min(low, end);
}
