import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOptions } from '../../lib/bundle-functions.ts';
import { markPure, replacements } from '../../lib/bundle-replacements.ts';
import { functionPaths } from '../../lib/function-paths.ts';

const root = join(import.meta.dirname, '../..');
/** Bytes of each module in each bundle, by function and module. */
let bundles: Map<string, Record<string, { bytesInOutput: number }>>;
let inputs: string[];

beforeAll(async () => {
  const { metafile } = await build({
    ...bundleOptions(functionPaths, root, false),
    metafile: true,
    write: false,
  });
  inputs = Object.keys(metafile.inputs);
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

test('Every replaced module of the SDK exists and is imported', () => {
  const unused = Object.keys(replacements).filter(
    (path) =>
      !existsSync(join(root, 'node_modules', path)) || !inputs.includes(`node_modules/${path}`),
  );
  expect(unused).toEqual([]);
});

test('No bundle contains a module that a DynamoDB client in Lambda never uses', () => {
  const neverUsed =
    /credential-provider|shared-ini-file-loader\/(get|load|parse|read)|event-streams\/event|client-dynamodb\/dist-es\/endpoint\/bdd|util-user-agent-node\/(create|get)|check-features|lambda-invoke-store|mnemonist|Crc32|token-providers|client-(sts|sso)/;
  expect(findModules(neverUsed)).toEqual([]);
});

test('A bundle contains only the operations that its function uses', () => {
  const bundle = bundles.get('messages/send/index.js') ?? {};
  const bytesOf = (name: string) =>
    bundle[`shared/contract/operations/${name}.ts`]?.bytesInOutput ?? 0;
  expect(bytesOf('messages')).toBeGreaterThan(0);
  expect(bytesOf('messages')).toBeLessThan(1500);
  expect(['conversations', 'people', 'businesses', 'events'].map(bytesOf)).toEqual([0, 0, 0, 0]);
});

test('Constants become removable; functions and types stay as they are', () => {
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
