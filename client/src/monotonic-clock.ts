/**
 * Returns milliseconds of a clock that users and time servers do not set. Only differences have a
 * meaning. On platforms without one, returns the device's time.
 */
export const getMonotonicTime = (): number =>
  typeof performance === 'undefined' ? Date.now() : performance.now();
