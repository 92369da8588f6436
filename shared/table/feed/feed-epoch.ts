import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { getItem } from '../calls/access.ts';
import { epochKey } from '../keys/keys.ts';

/**
 * Number of the current feed epoch. An operator starts the next epoch if changes may be missing.
 * Cursors from earlier epochs expire, so every client lists its conversations again.
 */
const Epoch = v.object({ epoch: v.number() });

const cacheMilliseconds = 60_000;
let cached: { epoch: number; at: number } | undefined;

/** Returns the epoch, cached for one minute. */
export async function getFeedEpoch(): Promise<number> {
  const now = clock.now();
  if (cached && now - cached.at < cacheMilliseconds) return cached.epoch;
  const item = await getItem(epochKey);
  cached = { epoch: item ? v.parse(Epoch, item).epoch : 0, at: now };
  return cached.epoch;
}
