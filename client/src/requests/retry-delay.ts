/**
 * Returns the milliseconds to wait before the next attempt: random up to 300, 600, 1,200 … and at
 * most `maxDelay`, so that clients that failed together do not retry together.
 */
export const getRetryDelay = (attempts: number, maxDelay = 8000, first = 300): number =>
  Math.random() * Math.min(maxDelay, first * 2 ** attempts);
