import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { toReadableError } from '../../../local-cloud/terminal/source-locations.ts';
import { temporaryFolder } from '../small-stack.ts';

const root = join(import.meta.dirname, '../../..');

/** The stack of what a minified bundle throws, made as if that were the text of a file of ours. */
function thrownBy(contents: string, sourcefile: string): string {
  const outfile = join(temporaryFolder(), 'index.js');
  buildSync({
    stdin: { contents, sourcefile: join(root, sourcefile), resolveDir: root },
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    sourcemap: 'external',
  });
  return spawnSync(process.execPath, [outfile], { encoding: 'utf8' }).stderr;
}

test('An error of a bundle is told with its place in our own file', () => {
  const contents = [
    'function list(of) {',
    '  return of.nothing.there;',
    '}',
    'module.exports = list({});',
  ].join('\n');
  const lines = toReadableError(thrownBy(contents, 'functions/business/list.ts'));
  expect(lines).toContain("TypeError: Cannot read properties of undefined (reading 'there')");
  expect(lines.slice(-2)).toEqual([
    '  at functions/business/list.ts:2:21',
    '  at functions/business/list.ts:4:18',
  ]);
});

test('Places that are not ours are left out', () => {
  const text = 'Error: no\n    at x (node:internal/y:1:2)\n    at /gone/index.js:1:2';
  expect(toReadableError(text)).toEqual(['Error: no']);
});
