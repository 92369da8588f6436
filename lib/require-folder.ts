import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Problem } from './problem.ts';

/** Throws a Problem where there is no folder for that file to be made in. */
export function requireFolderOf(file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new Problem(`There is no folder ${folder} to make ${basename(file)} in.`);
}
