import type { Inbox } from '../../../inbox.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunksFrom,
  getNewestChunks,
  maxEntriesPerChunk,
} from '../feed-chunk.ts';

/**
 * Reports whether a chunk is neither expired nor emptied. DynamoDB may remove an expired chunk days
 * later.
 */
export const isRetained = ({ expires_at, emptied }: Chunk, now: number): boolean =>
  emptied === 0 && (expires_at === undefined || expires_at > now);

/** Finds, by binary search, a sequence number at most one chunk before the first retained entry. */
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
