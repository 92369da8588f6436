import { clock } from '../../shared/clock.ts';

/** To be awaited after a call, with the units that it was charged. */
export type Pace = (units: number) => Promise<void>;

/** Spends no more than so many units a second, however many make calls side by side. */
export function paceOf(unitsPerSecond: number): Pace {
  let paidUntil = 0;
  return async (units) => {
    const now = clock.now();
    paidUntil = Math.max(paidUntil, now) + (units / unitsPerSecond) * 1000;
    await clock.sleep(paidUntil - now);
  };
}
