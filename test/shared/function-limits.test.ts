import { expect, test } from '@jest/globals';
import { maxRequestMilliseconds } from '../../shared/clock.ts';
import { functionLimits } from '../../shared/function-limits.ts';

test('The age at which a send counts as crashed exceeds the maximum request duration, even if clocks differ by 30 seconds', () => {
  const { timeoutSeconds } = functionLimits.request;
  expect(maxRequestMilliseconds).toBeGreaterThan((timeoutSeconds + 30) * 1000);
});
