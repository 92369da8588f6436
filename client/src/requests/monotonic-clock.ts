/**
 * Returns the milliseconds of a monotonic clock, which is never adjusted. Only differences between
 * values are meaningful.
 */
export const getMonotonicTime = (): number => performance.now();
