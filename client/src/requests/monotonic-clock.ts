/** Returns the milliseconds of a clock that is never adjusted. Only differences are meaningful. */
export const getMonotonicTime = (): number => performance.now();
