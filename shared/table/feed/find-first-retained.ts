import type { Inbox } from '../../inbox.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunksFrom,
  getNewestChunks,
  maxEntriesPerChunk,
} from './feed-chunk.ts';

/**
 * Reports whether the chunk has not expired at `now` (Unix seconds). DynamoDB may take days to
 * remove an expired item, so expired chunks are ignored.
 */
export const isRetained = ({ expires_at }: Chunk, now: number): boolean =>
  expires_at === undefined || expires_at > now;

/**
 * Returns a sequence number, from `from` on, with at most one chunk of expired entries between it
 * and the first retained entry. Searches by bisection, because days of expired chunks may be
 * unremoved. The newest chunk is always retained.
 */
export async function findFirstRetained(inbox: Inbox, from: number, now: number): Promise<number> {
  const [newest] = await getNewestChunks(inbox, 1);
  let low = from;
  let high = newest?.first ?? from;
  while (high - low > maxEntriesPerChunk) {
    const middle = Math.floor((low + high) / 2);
    const { chunks } = await getChunksFrom(inbox, middle, 1);
    const [chunk] = chunks;
    if (chunk && !isRetained(chunk, now)) low = getChunkEnd(chunk);
    else high = middle;
  }
  return low;
}
