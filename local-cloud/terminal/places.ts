import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');

/** A frame of a stack: `at f (/folder/index.js:1:2345)`, or the same without a name. */
const frame = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/;

const maxPlaces = 3;

/**
 * An error's text as functions print it, for people: its message, and where in our own files it came from, the innermost
 * place first. Bundles are minified; their source maps lie beside them.
 */
export function explained(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const places = lines.flatMap((line) => {
    const [, file = '', row, column] = frame.exec(line) ?? [];
    if (file === '') return [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return placeOf(path, Number(row), Number(column)) ?? [];
  });
  return [
    ...lines.filter((line) => !/^\s+at /.test(line)),
    ...[...new Set(places)].slice(0, maxPlaces).map((place) => `  at ${place}`),
  ];
}

/** `functions/messages/list.ts:12:5`; undefined of what is not ours. */
function placeOf(file: string, row: number, column: number): string | undefined {
  const path = relative(root, file).replaceAll('\\', '/');
  if (/\.ts$/.test(path) && !/^\.\.|node_modules/.test(path)) return `${path}:${row}:${column}`;
  const map = `${file}.map`;
  if (!existsSync(map)) return undefined;
  const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(row - 1, column - 1);
  if (!('originalSource' in entry)) return undefined;
  const source = ownFile(entry.originalSource);
  return source && `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** The map's path leads there from where the bundle was made, which has gone: its end is the path from the root. */
function ownFile(source: string): string | undefined {
  if (source.includes('node_modules')) return undefined;
  const parts = source.replaceAll('\\', '/').split('/');
  return parts
    .map((_, from) => parts.slice(from).join('/'))
    .find((path) => path !== '' && !path.startsWith('.') && existsSync(join(root, path)));
}
