import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

const rows: readonly Operation[] = operations;
const functions = join(import.meta.dirname, '../../../functions');

describe('The contract', () => {
  test('defines exactly the operations that have a handler', () => {
    const handlers = readdirSync(functions, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\/.*\.ts$/.test(file))
      .map((file) => file.replace(/\.ts$/, ''));
    expect(handlers.sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  test('has unique operation ids, and unique pairs of method and path regardless of parameter names', () => {
    const shapes = rows.map(({ method, path }) => `${method} ${path.replace(/{\w+}/g, '{}')}`);
    expect(new Set(shapes).size).toBe(rows.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test.each(rows.map((row) => [row.id, row] as const))(
    'declares exactly the parameters in the path of %s',
    (_, { path, pathParameters }) => {
      const entries = pathParameters && 'entries' in pathParameters ? pathParameters.entries : {};
      const named = Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name);
      expect(Object.keys(entries ?? {})).toEqual(named);
    },
  );
});
