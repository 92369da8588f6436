import { expect, test } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { env } from '../../shared/env.ts';

test('The table says nothing of how long it can be taken back: that is AWS’s own 35 days', async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  const specifications = JSON.stringify(template).match(
    /"PointInTimeRecoverySpecification":\{[^}]*\}/g,
  );
  expect(new Set(specifications)).toEqual(
    new Set(['"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}']),
  );
});
