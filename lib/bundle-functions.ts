import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { markContractPure } from './mark-pure.ts';
import { writeReferenceFiles } from './reference-files.ts';

const root = join(import.meta.dirname, '..');

/**
 * Returns esbuild's options for the given files of functions/ (paths without `.ts`): one
 * `<path>/index.js` each. With `places`, writes a source map next to each bundle, without a link to
 * it. The settings are the fastest to start that were measured: CommonJS (an ES module that imports
 * node:http makes Node load undici), minified, ES sources of packages (smaller after tree shaking),
 * and dynamic imports made static.
 */
export const bundleOptions = (paths: readonly string[], outdir: string, sourceMaps: boolean) =>
  ({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      paths.map((path) => [join(path, 'index'), `functions/${path}.ts`]),
    ),
    outdir,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    plugins: [markContractPure],
    logLevel: 'error',
    ...(sourceMaps && { sourcemap: 'external', sourcesContent: false }),
  }) satisfies BuildOptions;

/** Writes the other files of a function's folder: for `docs`, the pages it serves. */
export function writeStaticFiles(paths: readonly string[], outdir: string): void {
  if (paths.includes('docs')) writeReferenceFiles(join(outdir, 'docs/files'));
}

/**
 * Bundles all functions at once and returns the folder. It is removed when the process exits;
 * synthesis copies from it.
 */
export async function bundleFunctions(
  paths: readonly string[],
  { places: sourceMaps = false } = {},
): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'messaging-bundles-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build(bundleOptions(paths, outdir, sourceMaps));
  writeStaticFiles(paths, outdir);
  return outdir;
}
