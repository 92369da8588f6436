import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Problem } from './problem.ts';

/** Throws a Problem if the folder of the file does not exist. */
export function requireFolderOf(file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new Problem(`Cannot create ${basename(file)}: the folder ${folder} does not exist.`);
}
