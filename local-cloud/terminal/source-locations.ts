import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');

/** A stack frame, such as `at f (/folder/index.js:1:2345)`, with or without a function name. */
const frame = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/;

const maxLocations = 3;

/**
 * Returns the lines of an error's message, and at most three source locations from its stack,
 * innermost first. Reads the source maps next to the minified bundles.
 */
export function toReadableError(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const locations = lines.flatMap((line) => {
    const [, file = '', row, column] = frame.exec(line) ?? [];
    if (file === '') return [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return findSourceLocation(path, Number(row), Number(column)) ?? [];
  });
  return [
    ...lines.filter((line) => !/^\s+at /.test(line)),
    ...[...new Set(locations)].slice(0, maxLocations).map((location) => `  at ${location}`),
  ];
}

/**
 * Returns a location such as `functions/messages/list.ts:12:5`; `undefined` for a file in a
 * package.
 */
function findSourceLocation(file: string, row: number, column: number): string | undefined {
  const path = relative(root, file).replaceAll('\\', '/');
  if (/\.ts$/.test(path) && !/^\.\.|node_modules/.test(path)) return `${path}:${row}:${column}`;
  const map = `${file}.map`;
  if (!existsSync(map)) return undefined;
  const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(row - 1, column - 1);
  if (!('originalSource' in entry)) return undefined;
  const source = findSourceFile(entry.originalSource);
  return source && `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/**
 * Returns a source file's path from the root; `undefined` for a file in a package. `source` is
 * relative to a folder that no longer exists, but ends with the path from the root.
 */
function findSourceFile(source: string): string | undefined {
  if (source.includes('node_modules')) return undefined;
  const parts = source.replaceAll('\\', '/').split('/');
  return parts
    .map((_, from) => parts.slice(from).join('/'))
    .find((path) => path !== '' && !path.startsWith('.') && existsSync(join(root, path)));
}
