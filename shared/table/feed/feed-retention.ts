import { clock, toSeconds } from '../../clock.ts';
import type { Inbox } from '../../inbox.ts';
import { feedSeconds } from '../../lifetimes.ts';
import { update } from '../calls/access.ts';
import { feedMaintenanceKey } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import { type Chunk, expireChunk, getEntryTimes } from './feed-chunk.ts';

const day = 24 * 60 * 60;

/** How long a chunk takes entries, and how long each is kept at least, in seconds. */
export const retentionSeconds = feedSeconds;

/**
 * When what is in a chunk may go (Unix seconds): once its last entry is as old as that, and a day, as an entry is written
 * up to a day after it happened; that is how long a stream keeps what it has to tell.
 */
export const getChunkExpiry = (chunk: Chunk): number =>
  (getEntryTimes(chunk)?.last ?? 0) + retentionSeconds + day;

/** Has a full chunk that has a next one removed when it may go, if nobody has said so before. */
export const expireFullChunk = (inbox: Inbox, chunk: Chunk): Promise<void> =>
  expireChunk(inbox, chunk.first, Math.max(getChunkExpiry(chunk), toSeconds(clock.now())));

/** Has somebody look after the feed some time after `at` (Unix seconds), once. */
export const scheduleMaintenance = async (inbox: Inbox, at: number): Promise<void> => {
  await update({
    Key: feedMaintenanceKey(inbox),
    UpdateExpression: `SET ${expiryAttribute} = :at`,
    ExpressionAttributeValues: { ':at': at },
  });
};

/**
 * Before a chunk is begun, makes sure that somebody will look after the feed. That is so already, but where the feed has
 * none yet, or one that has been emptied. One is emptied only a day after its last entry is as old as here, so it cannot
 * be while a next one is begun without looking.
 */
export async function ensureMaintenance(inbox: Inbox, newest: Chunk | undefined): Promise<void> {
  const now = toSeconds(clock.now());
  const times = newest && getEntryTimes(newest);
  if (!times || times.last + retentionSeconds <= now)
    await scheduleMaintenance(inbox, now + retentionSeconds);
}
