import { clock, toSeconds } from '../../clock.ts';
import type { Inbox } from '../../inbox.ts';
import { feedRetentionSeconds } from '../../retention.ts';
import { update } from '../calls/access.ts';
import { feedMaintenanceKey } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import { type Chunk, expireChunk, getEntryTimes } from './feed-chunk.ts';

const daySeconds = 24 * 60 * 60;

/** Seconds for which a chunk accepts entries and, at least, an entry is retained. */
export const retentionSeconds = feedRetentionSeconds;

/**
 * Returns when a chunk may be removed (Unix seconds): the retention after its last entry, plus one
 * day. A stream retains records for one day, so an entry may be written a day after its change.
 */
export const getChunkExpiry = (chunk: Chunk): number =>
  (getEntryTimes(chunk)?.last ?? 0) + retentionSeconds + daySeconds;

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
 * Ensures that maintenance is scheduled before a chunk is created. It already is, unless the feed
 * is new or was emptied. A chunk is emptied only a day after the time compared here, so it cannot
 * be emptied while its successor is created without this check.
 */
export async function ensureMaintenance(inbox: Inbox, newest: Chunk | undefined): Promise<void> {
  const now = toSeconds(clock.now());
  const times = newest && getEntryTimes(newest);
  if (!times || times.last + retentionSeconds <= now)
    await scheduleMaintenance(inbox, now + retentionSeconds);
}
