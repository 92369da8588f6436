import { clock } from '../../shared/clock.ts';

/** Waits as needed after a call that consumed this number of units. */
export type Pace = (units: number) => Promise<void>;

/** Returns a limiter to this number of units per second, shared by concurrent callers. */
export function paceOf(unitsPerSecond: number): Pace {
  let paidUntil = 0;
  return async (units) => {
    const now = clock.now();
    paidUntil = Math.max(paidUntil, now) + (units / unitsPerSecond) * 1000;
    await clock.sleep(paidUntil - now);
  };
}
