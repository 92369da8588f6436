import { expect, test } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { env } from '../../shared/env.ts';

test('The table sets no point-in-time recovery period, so AWS’s default of 35 days applies', async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  const specifications = JSON.stringify(template).match(
    /"PointInTimeRecoverySpecification":\{[^}]*\}/g,
  );
  expect(new Set(specifications)).toEqual(
    new Set(['"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}']),
  );
});
