import type { Inbox } from '../../inbox.ts';
import {
  type Chunk,
  getChunkEnd,
  getChunksFrom,
  getNewestChunks,
  maxEntriesPerChunk,
} from './feed-chunk.ts';

/** Its time (Unix seconds) is not over. DynamoDB may take days to remove one whose time is: it is as good as gone. */
export const isRetained = ({ expires_at }: Chunk, now: number): boolean =>
  expires_at === undefined || expires_at > now;

/**
 * A place from `from` on with at most a chunk of what has expired between it and the first that is kept: there may be days
 * of it, which are not read, but halved. The newest chunk is always kept.
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
