import { afterEach, jest } from '@jest/globals';

// Jest's option restoreMocks restores mocks before each test, so hooks of later suites would still
// run with mocks.
afterEach(() => {
  jest.restoreAllMocks();
});
