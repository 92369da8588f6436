import { expect, test } from '@jest/globals';
import { maxRequestMilliseconds } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';

test('A send counts as crashed only after the request timeout plus 30 seconds for clock differences', () => {
  const { timeoutSeconds } = functionLimits.request;
  expect(maxRequestMilliseconds).toBeGreaterThan((timeoutSeconds + 30) * 1000);
});
