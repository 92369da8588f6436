import { afterEach, jest } from '@jest/globals';

afterEach(() => {
  jest.useRealTimers();
});

/**
 * Mocks only setTimeout and clearTimeout until the test ends, so that time limits do not expire on
 * a busy machine.
 */
export const fakeTimeouts = () =>
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ],
  });
