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
const otherwise: Readonly<Record<string, { value: unknown; because: string }>> = {
  '@aws-cdk/core:enableAdditionalMetadataCollection': {
    value: false,
    because: 'bin/messaging.ts disables all analytics.',
  },
};

test('Each CDK feature flag has the value that AWS recommends, except for the listed differences', () => {
  const decided = Object.keys(recommended).map((flag) => [
    flag,
    flag in otherwise ? otherwise[flag]?.value : recommended[flag],
  ]);
  expect(context).toEqual(Object.fromEntries(decided));
  expect(Object.keys(otherwise).filter((flag) => !(flag in recommended))).toEqual([]);
  expect(decided.length).toBeGreaterThan(80);
});
