import { clock, toSeconds } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { Inbox } from '../../inbox.ts';
import { closeChunk, emptyChunk, newestChunks, timesOf } from './chunk.ts';
import { expire, goesAt, keptSeconds, setCheck } from './kept.ts';

/** As often as others write to the chunk in between. */
const mostTries = 100;

/** `resting`: the feed has no entries that do not expire, and needs nobody until it has some. */
export type LookedAfter = 'resting' | 'looked_after';

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
export async function lookAfterFeed(inbox: Inbox): Promise<LookedAfter> {
  for (let tries = 0; tries < mostTries; tries++) {
    const [newest, before] = await newestChunks(inbox, 2);
    if (before && before.expires_at === undefined) await expire(inbox, before);
    const times = newest && timesOf(newest);
    if (!times) return 'resting';
    const now = toSeconds(clock.now());
    if (goesAt(newest) <= now) {
      if (await emptyChunk(inbox, newest)) return 'resting';
      continue;
    }
    const isOld = times.first + keptSeconds <= now;
    if (isOld && newest.room > 0 && !(await closeChunk(inbox, newest))) continue;
    await setCheck(inbox, isOld ? goesAt(newest) : times.first + keptSeconds);
    return 'looked_after';
  }
  throw new ApiError('unavailable');
}
