import { expect, test } from '@jest/globals';
import { requestsLiveAtMost } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';

test('what counts as dead is longer ago than any request lives, by clocks that differ by half a minute', () => {
  const { timeoutSeconds } = functionLimits.request;
  expect(requestsLiveAtMost).toBeGreaterThan((timeoutSeconds + 30) * 1000);
});
