import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Sources of the template and its bundles. */
const inputs = [
  'bin/messaging.ts',
  'commands/deploy',
  'lib',
  'functions',
  'shared',
  'reference',
  'docs',
  'client/README.md',
  'openapi.json',
  'package-lock.json',
  'cdk.json',
];

/** Returns a hash that changes when the synthesis of `root` may return a different result. */
export const sourceHash = (root: string, ...others: string[]): string =>
  hashFiles(root, inputs, [], others);

/** Returns a hash of files, of folders without the excluded subfolders, and of other values. */
export function hashFiles(
  root: string,
  paths: readonly string[],
  excluded: readonly string[],
  others: readonly string[],
): string {
  const hash = createHash('sha256');
  for (const other of others) hash.update(other).update('\0');
  for (const path of paths.flatMap((input) => listFiles(root, input, excluded))) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, path: string, excluded: readonly string[]): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !excluded.some((folder) => file.startsWith(`${folder}/`)))
    .sort();
}
