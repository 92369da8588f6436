import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { getItem } from '../calls/access.ts';
import { epochKey } from '../keys/keys.ts';

/**
 * Of which of the feeds' lives this is the number. Whenever a change may be missing in a feed, an operator's command begins
 * the next one: a cursor of an earlier life is none any more, so that everybody lists anew, and nobody goes on as if nothing
 * were missing.
 */
const Epoch = v.object({ epoch: v.number() });

const cacheMilliseconds = 60_000;
let cached: { epoch: number; at: number } | undefined;

/** As it is or was within a minute: who gets a cursor of an earlier one meanwhile is told so with the next call. */
export async function getFeedEpoch(): Promise<number> {
  const now = clock.now();
  if (cached && now - cached.at < cacheMilliseconds) return cached.epoch;
  const item = await getItem(epochKey);
  cached = { epoch: item ? v.parse(Epoch, item).epoch : 0, at: now };
  return cached.epoch;
}
