import { clock } from '../clock.ts';
import { getDeadlineSignal } from '../deadline.ts';

const maxAttempts = 3;

/**
 * Maximum milliseconds before the second attempt. The maximum pause before the third attempt is
 * twice as long.
 */
export const maxPauses = { short: 100, long: 500 };

/**
 * Runs a call until it succeeds, at most three times, with random pauses. Does not retry after the
 * enclosing deadline. Throws the last error. `getMaxPause` returns the maximum pause in
 * milliseconds before the second attempt, such as `maxPauses.short`. If `getMaxPause` returns
 * `undefined`, the call is not retried.
 */
export async function withRetries<Result>(
  call: () => Promise<Result>,
  getMaxPause: (error: unknown) => number | undefined = () => maxPauses.long,
): Promise<Result> {
  const signal = getDeadlineSignal();
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const maxPause = getMaxPause(error);
      if (maxPause === undefined || attempt === maxAttempts || signal?.aborted) throw error;
      await clock.sleep(Math.random() * maxPause * attempt);
    }
  }
}
