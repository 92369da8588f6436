import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { indexes } from '../../../../shared/table/keys/names.ts';

const root = join(import.meta.dirname, '../../../..');
const own = [
  ...new Set(Object.values(indexes).flatMap(({ partition, sort }) => [partition, sort])),
];

test('Only names.ts contains the names of index key attributes, except `activity`, which has other uses', () => {
  const names = new RegExp(`\\b(${own.filter((name) => name !== 'activity').join('|')})\\b`);
  const files = globSync('{shared,functions,lib/constructs}/**/*.ts', { cwd: root });
  expect(files.filter((file) => names.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    join('shared', 'table', 'keys', 'names.ts'),
  ]);
});
