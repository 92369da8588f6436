import { afterEach, jest } from '@jest/globals';

// Jest's own restoreMocks acts before each test, so hooks of later suites would see mocks.
afterEach(() => {
  jest.restoreAllMocks();
});
