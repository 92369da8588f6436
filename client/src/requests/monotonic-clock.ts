/** Returns milliseconds from a clock that is never adjusted. Only differences are meaningful. */
export const getMonotonicTime = (): number => performance.now();
