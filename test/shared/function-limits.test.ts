import { expect, test } from '@jest/globals';
import { maxRequestMilliseconds } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';

test('what counts as dead is longer ago than any request lives, by clocks that differ by half a minute', () => {
  const { timeoutSeconds } = functionLimits.request;
  expect(maxRequestMilliseconds).toBeGreaterThan((timeoutSeconds + 30) * 1000);
});
