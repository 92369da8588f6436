import { clock, toSeconds } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { Inbox } from '../../inbox.ts';
import { closeChunk, emptyChunk, getEntryTimes, getNewestChunks } from './feed-chunk.ts';
import {
  expireFullChunk,
  getChunkExpiry,
  retentionSeconds,
  scheduleMaintenance,
} from './feed-retention.ts';

/** As often as others write to the chunk in between. */
const maxAttempts = 100;

/** `resting`: the feed has no entries that do not expire, and needs nobody until it has some. */
export type MaintenanceOutcome = 'resting' | 'looked_after';

/**
 * Sees to it that no entry of a feed stays for ever, though nothing more happens in it and its newest chunk is never full:
 *
 * - a chunk that has taken entries for 30 days takes no more, so that the next event begins another, and it expires;
 * - one whose last entry is older is emptied. It stays, as the feed's newest, full, and with nothing but how many places it
 *   had, so that none is ever given again;
 * - as long as there are entries, the feed is looked after again.
 *
 * Each is one conditional write, on the chunk as it was read. May be repeated at any time.
 */
export async function maintainFeed(inbox: Inbox): Promise<MaintenanceOutcome> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [newest, before] = await getNewestChunks(inbox, 2);
    if (before && before.expires_at === undefined) await expireFullChunk(inbox, before);
    const times = newest && getEntryTimes(newest);
    if (!times) return 'resting';
    const now = toSeconds(clock.now());
    if (getChunkExpiry(newest) <= now) {
      if (await emptyChunk(inbox, newest)) return 'resting';
      continue;
    }
    const isOld = times.first + retentionSeconds <= now;
    if (isOld && newest.room > 0 && !(await closeChunk(inbox, newest))) continue;
    await scheduleMaintenance(
      inbox,
      isOld ? getChunkExpiry(newest) : times.first + retentionSeconds,
    );
    return 'looked_after';
  }
  throw new ApiError('unavailable');
}
