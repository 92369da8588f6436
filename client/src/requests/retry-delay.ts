/**
 * Returns a random number of milliseconds to wait before the next attempt, so that clients that
 * failed together do not retry together. The upper limit starts at `first`, doubles with each
 * failed attempt, and is at most `maxDelay`.
 */
export const getRetryDelay = (attempts: number, maxDelay = 8000, first = 300): number =>
  Math.random() * Math.min(maxDelay, first * 2 ** attempts);
