import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, writeStaticFiles } from '../../lib/bundle-functions.ts';

/**
 * Bundles the functions into a new subfolder of the directory, as synthesis does. Returns the
 * folder of each bundle.
 */
export async function rebundle(
  paths: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const folder = join(resolve(directory), randomUUID());
  await mkdir(folder, { recursive: true });
  // Without this file, the project's package.json would make Node load the CommonJS bundles as ESM.
  await writeFile(join(folder, 'package.json'), '{}\n');
  await build({ ...bundleOptions(paths, folder, true), logLevel: 'silent' });
  writeStaticFiles(paths, folder);
  return new Map(paths.map((path) => [path, join(folder, path)]));
}
