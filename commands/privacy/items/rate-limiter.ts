import { clock } from '../../../shared/clock.ts';

/** Adds the units that a call consumed, and waits until the rate permits the next call. */
export type RateLimiter = (units: number) => Promise<void>;

/**
 * Returns a limiter for this number of capacity units per second. Concurrent callers share the
 * rate.
 */
export function createRateLimiter(unitsPerSecond: number): RateLimiter {
  let busyUntil = 0;
  return async (units) => {
    const now = clock.now();
    busyUntil = Math.max(busyUntil, now) + (units / unitsPerSecond) * 1000;
    await clock.sleep(busyUntil - now);
  };
}
