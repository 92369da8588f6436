import { clock, toSeconds } from '../../clock.ts';
import type { Inbox } from '../../inbox.ts';
import { feedRetentionSeconds } from '../../retention.ts';
import { update } from '../calls/access.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { feedMaintenanceKey } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import {
  type Chunk,
  closeChunk,
  emptyChunk,
  expireChunk,
  getEntryTimes,
  getNewestChunks,
} from './feed-chunk.ts';

const daySeconds = 24 * 60 * 60;

/**
 * Returns when a chunk may be removed (Unix seconds): a day after its last entry's retention ends,
 * because an entry may be appended up to a day late.
 */
const getChunkExpiry = (chunk: Chunk): number =>
  (getEntryTimes(chunk)?.last ?? 0) + feedRetentionSeconds + daySeconds;

/** Sets the expiry of a full chunk that has a successor, unless it is already set. */
export const expireFullChunk = (inbox: Inbox, chunk: Chunk): Promise<void> =>
  expireChunk(inbox, chunk.first, Math.max(getChunkExpiry(chunk), toSeconds(clock.now())));

/** Schedules feed maintenance after `at` (Unix seconds). */
export const scheduleMaintenance = async (inbox: Inbox, at: number): Promise<void> => {
  await update({
    Key: feedMaintenanceKey(inbox),
    UpdateExpression: `SET ${expiryAttribute} = :at`,
    ExpressionAttributeValues: { ':at': at },
  });
};

/**
 * Schedules maintenance if no entry is within the retention period. Call before creating a chunk.
 */
export async function ensureMaintenance(inbox: Inbox, newest: Chunk | undefined): Promise<void> {
  const now = toSeconds(clock.now());
  const times = newest && getEntryTimes(newest);
  if (!times || times.last + feedRetentionSeconds <= now)
    await scheduleMaintenance(inbox, now + feedRetentionSeconds);
}

/** Maximum attempts. An attempt fails if another writer changes the chunk concurrently. */
const maxAttempts = 100;

/** `idle`: no maintenance is needed until the next entry, because every entry has an expiry. */
export type MaintenanceOutcome = 'idle' | 'maintained';

/**
 * Ensures that every entry of a feed expires, even if the newest chunk never fills up. If this
 * chunk has accepted entries for 30 days, closes it, so that the next event creates a chunk. If the
 * chunk's last entry is more than a day past retention, empties the chunk but retains its entry
 * count, so that no sequence number is reused. Safe to repeat.
 */
export async function maintainFeed(inbox: Inbox): Promise<MaintenanceOutcome> {
  return retryUntilDone(async () => {
    const [newest, before] = await getNewestChunks(inbox, 2);
    if (before && before.expires_at === undefined) await expireFullChunk(inbox, before);
    const times = newest && getEntryTimes(newest);
    if (!times) return 'idle';
    const now = toSeconds(clock.now());
    if (getChunkExpiry(newest) <= now) {
      return (await emptyChunk(inbox, newest)) ? 'idle' : undefined;
    }
    const isOld = times.first + feedRetentionSeconds <= now;
    if (isOld && newest.room > 0 && !(await closeChunk(inbox, newest))) return undefined;
    await scheduleMaintenance(
      inbox,
      isOld ? getChunkExpiry(newest) : times.first + feedRetentionSeconds,
    );
    return 'maintained';
  }, maxAttempts);
}
