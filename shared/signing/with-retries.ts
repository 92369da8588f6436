import { clock } from '../clock.ts';
import { getDeadlineSignal } from '../deadline.ts';

const maxAttempts = 3;

/** Maximum pauses in milliseconds before the second attempt; twice as long before the third. */
export const maxPauses = { short: 100, long: 500 };

/**
 * Runs a call up to three times until it succeeds, with random pauses, but not again after the
 * enclosing deadline. Throws the error of the last attempt. `getMaxPause` returns the maximum pause
 * after an error, or `undefined` to prevent a retry.
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
