import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import fc from '../support/setup/fast-check.ts';
import { requests } from './requests/requests.ts';
import { nearlyValidFor } from './values/nearly-valid-values.ts';
import { isOptional, toShape } from './values/schema-shape.ts';
import { validFor } from './values/valid-values.ts';

const rows: readonly Operation[] = operations;
const schemas = rows.flatMap((row) =>
  [row.pathParameters, row.query, row.body].flatMap((schema) =>
    schema ? [{ title: row.id, schema, fields: toShape(schema).entries }] : [],
  ),
);
const drawn = <Value>(values: fc.Arbitrary<Value>, numRuns: number) =>
  fc.sample(values, { numRuns, seed: 1 });
const has = (name: string) => (value: unknown) => Object.hasOwn(Object(value), name);

describe('The request generator', () => {
  test.each(schemas)(
    'generates only valid values for $title: each value has all required fields, and each optional field is in some values but not in all',
    (row) => {
      const values = drawn(validFor(row.schema, { name: '', resource: 'messages' }), 200);
      expect(values.every((value) => v.is(row.schema, value))).toBe(true);
      for (const [name, schema] of row.fields) {
        expect([name, values.some(has(name))]).toEqual([name, true]);
        expect([name, values.every(has(name))]).toEqual([name, !isOptional(schema)]);
      }
    },
  );

  test.each(schemas)(
    'makes each field of $title invalid in at least one nearly valid value',
    (row) => {
      const values = drawn(nearlyValidFor(row.schema, { name: '', resource: 'messages' }), 400);
      const wrong = values.flatMap((value) => {
        const { issues = [] } = v.safeParse(row.schema, value);
        return issues.map(({ path }) => path?.[0]?.key);
      });
      for (const [name] of row.fields) expect(wrong).toContain(name);
    },
  );

  test('generates the same requests from the same seed', () => {
    expect(drawn(requests, 50)).toEqual(drawn(requests, 50));
  });
});
