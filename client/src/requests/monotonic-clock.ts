/** Returns milliseconds of a clock that is never set. Only differences have a meaning. */
export const getMonotonicTime = (): number => performance.now();
