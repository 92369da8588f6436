import { clock } from '../../../shared/clock.ts';

/** Waits as needed after a call that consumed this number of units. */
export type RateLimiter = (units: number) => Promise<void>;

/** Returns a rate limiter for this number of units per second, shared by concurrent callers. */
export function createRateLimiter(unitsPerSecond: number): RateLimiter {
  let busyUntil = 0;
  return async (units) => {
    const now = clock.now();
    busyUntil = Math.max(busyUntil, now) + (units / unitsPerSecond) * 1000;
    await clock.sleep(busyUntil - now);
  };
}
