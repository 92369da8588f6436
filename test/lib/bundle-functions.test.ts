import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOptions } from '../../lib/bundle-functions.ts';
import { functionPaths } from '../../lib/function-paths.ts';
import { markPure } from '../../lib/mark-pure.ts';

const root = join(import.meta.dirname, '../..');
/** Module sizes in bytes, by function and module. */
let bundles: Map<string, Record<string, { bytesInOutput: number }>>;

beforeAll(async () => {
  const { metafile } = await build({
    ...bundleOptions(functionPaths, root, false),
    metafile: true,
    write: false,
  });
  bundles = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [path, output.inputs]),
  );
});

const findModules = (pattern: RegExp) => [
  ...new Set(
    [...bundles.values()].flatMap((modules) =>
      Object.entries(modules)
        .filter(([path, { bytesInOutput }]) => pattern.test(path) && bytesInOutput > 0)
        .map(([path]) => path),
    ),
  ),
];

test('Bundles contain no AWS SDK code except the conversion of DynamoDB values', () => {
  expect(findModules(/node_modules\/@(aws-sdk\/(?!util-dynamodb)|smithy)/)).toEqual([]);
});

test('A bundle contains only the operations that its function uses', () => {
  const bundle = bundles.get('messages/send/index.js') ?? {};
  const bytesOf = (name: string) =>
    bundle[`shared/contract/operations/${name}.ts`]?.bytesInOutput ?? 0;
  expect(bytesOf('messages')).toBeGreaterThan(0);
  expect(bytesOf('messages')).toBeLessThan(1500);
  expect(['conversations', 'people', 'businesses', 'events'].map(bytesOf)).toEqual([0, 0, 0, 0]);
});

test('markPure makes unused constants removable and leaves functions and types unchanged', () => {
  const source = [
    'export const limits = { a: [...others] } as const;',
    'const Text: v.GenericSchema = v.pipe(',
    '  v.string(),',
    ');',
    'export const double = (n: number) => 2 * n;',
    'export const listOf = <Item>(item: Item) =>',
    '  v.array(item);',
    'export type Text = string;',
  ].join('\n');
  expect(markPure(source).split('\n')).toEqual([
    'export const limits = /* @__PURE__ */ (() => ({ a: [...others] } as const))();',
    'const Text: v.GenericSchema = /* @__PURE__ */ (() => (v.pipe(',
    '  v.string(),',
    ')))();',
    ...source.split('\n').slice(4),
  ]);
});
