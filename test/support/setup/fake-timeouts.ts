import { afterEach, jest } from '@jest/globals';

afterEach(() => {
  jest.useRealTimers();
});

/**
 * Replaces only setTimeout and clearTimeout, so that time limits do not expire on a busy machine.
 * Ends with the test.
 */
export const fakeTimeouts = () =>
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ],
  });
