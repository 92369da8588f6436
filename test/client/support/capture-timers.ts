import { jest } from '@jest/globals';

/**
 * Captures the timers that the test starts after this call. `fire` runs the callback of the last
 * pending timer that has the given delay in milliseconds, as if the delay had passed.
 */
export function captureTimers() {
  const starts = jest.spyOn(globalThis, 'setTimeout');
  const ends = jest.spyOn(globalThis, 'clearTimeout');
  const isCleared = (n: number) =>
    ends.mock.calls.some(([timer]) => timer === starts.mock.results[n]?.value);
  return {
    fire: (milliseconds: number) => {
      const pending = starts.mock.calls.filter(([, delay], n) => {
        return delay === milliseconds && !isCleared(n);
      });
      const [act] = pending.at(-1) ?? [];
      if (!act) throw new Error(`No pending timer has ${milliseconds} ms.`);
      act();
    },
  };
}
