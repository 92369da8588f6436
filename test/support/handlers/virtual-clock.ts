import { jest } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';

/** Freezes the clock until the test ends; sleeping advances it without waiting. */
export function createVirtualClock() {
  let now = clock.now();
  jest.spyOn(clock, 'now').mockImplementation(() => now);
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    now += milliseconds;
  });
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
