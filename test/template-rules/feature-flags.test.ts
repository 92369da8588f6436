import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';

const Values = v.record(v.string(), v.unknown());
const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const { context } = v.parse(
  v.object({ context: Values }),
  json(join(import.meta.dirname, '../../cdk.json')),
);
/** Values that AWS recommends for new apps of this CDK version, by feature flag. */
const recommended = v.parse(
  Values,
  json(
    join(
      createRequire(import.meta.url).resolve('aws-cdk-lib/package.json'),
      '../recommended-feature-flags.json',
    ),
  ),
);

/** Flags whose values differ from the recommendation, with the reason. */
const exceptions: Readonly<Record<string, { value: unknown; reason: string }>> = {
  '@aws-cdk/core:enableAdditionalMetadataCollection': {
    value: false,
    reason: 'bin/messaging.ts disables all analytics.',
  },
};

test('Each CDK feature flag has the value that AWS recommends, except for the listed differences', () => {
  const expected = Object.keys(recommended).map((flag) => [
    flag,
    flag in exceptions ? exceptions[flag]?.value : recommended[flag],
  ]);
  expect(context).toEqual(Object.fromEntries(expected));
  expect(Object.keys(exceptions).filter((flag) => !(flag in recommended))).toEqual([]);
  expect(expected.length).toBeGreaterThan(80);
});
