import { ApiError } from '../../api-error.ts';
import { clock, toSeconds } from '../../clock.ts';
import type { Inbox } from '../../inbox.ts';
import { closeChunk, emptyChunk, getEntryTimes, getNewestChunks } from './feed-chunk.ts';
import {
  expireFullChunk,
  getChunkExpiry,
  retentionSeconds,
  scheduleMaintenance,
} from './feed-retention.ts';

/** Maximum attempts. An attempt fails if another writer changes the chunk at the same time. */
const maxAttempts = 100;

/** `idle`: no entry lacks an expiry, so no maintenance is needed until the next entry. */
export type MaintenanceOutcome = 'idle' | 'maintained';

/**
 * Ensures that every entry of a feed expires, even if the newest chunk never fills up:
 * - A chunk that has accepted entries for 30 days is closed. The next event creates a new chunk,
 *   and the closed one expires.
 * - A chunk whose last entry is past retention is emptied. It remains as the newest chunk with
 *   its entry count, so no sequence number is reused.
 * - While entries remain, the next maintenance is scheduled. Each step is one conditional write
 *   on the chunk as it was read. Safe to repeat at any time.
 */
export async function maintainFeed(inbox: Inbox): Promise<MaintenanceOutcome> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [newest, before] = await getNewestChunks(inbox, 2);
    if (before && before.expires_at === undefined) await expireFullChunk(inbox, before);
    const times = newest && getEntryTimes(newest);
    if (!times) return 'idle';
    const now = toSeconds(clock.now());
    if (getChunkExpiry(newest) <= now) {
      if (await emptyChunk(inbox, newest)) return 'idle';
      continue;
    }
    const isOld = times.first + retentionSeconds <= now;
    if (isOld && newest.room > 0 && !(await closeChunk(inbox, newest))) continue;
    await scheduleMaintenance(
      inbox,
      isOld ? getChunkExpiry(newest) : times.first + retentionSeconds,
    );
    return 'maintained';
  }
  throw new ApiError('unavailable');
}
