import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { toReadableError } from '../../../local-cloud/terminal/source-locations.ts';
import { temporaryFolder } from '../small-stack.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the stack trace that a minified bundle of the given source prints. */
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

test('An error in a bundle is printed with its source location', () => {
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

test('The printed error omits locations outside the project', () => {
  const text = 'Error: no\n    at x (node:internal/y:1:2)\n    at /gone/index.js:1:2';
  expect(toReadableError(text)).toEqual(['Error: no']);
});
