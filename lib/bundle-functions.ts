import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { markContractPure } from './mark-pure.ts';
import { bundleSharp, writeNativeModules } from './native-modules.ts';
import { writeReferenceFiles } from './reference-files.ts';

const root = join(import.meta.dirname, '..');

/** Programs that functions start as child processes, by function path. */
const programs: Readonly<Record<string, Record<string, string>>> = {
  thumbnails: { resize: 'shared/thumbnails/resize-program.ts' },
};

/** Returns the path of the function whose handler or child program is the entry file. */
export const toFunctionPath = (entry: string): string =>
  Object.entries(programs).find(([, files]) => Object.values(files).includes(entry))?.[0] ??
  entry.replace(/^functions\//, '').replace(/\.ts$/, '');

/**
 * Returns esbuild's options to bundle each function (path without `.ts`) to `<path>/index.js`. If
 * `isLocal` is true, the build uses this machine's native modules and writes external source maps,
 * without links in the bundles. The output is CommonJS, because an ES module that imports node:http
 * makes Node load undici. The build uses the packages' ES modules, because they are smaller after
 * tree shaking.
 */
export const bundleOptions = (paths: readonly string[], outdir: string, isLocal: boolean) =>
  ({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      paths.flatMap((path) => [
        [join(path, 'index'), `functions/${path}.ts`],
        ...Object.entries(programs[path] ?? {}).map(([name, file]) => [join(path, name), file]),
      ]),
    ),
    outdir,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    plugins: [markContractPure, bundleSharp(isLocal)],
    logLevel: 'error',
    ...(isLocal && { sourcemap: 'external', sourcesContent: false }),
  }) satisfies BuildOptions;

/** Writes the files that functions read at run time: for `docs`, the pages of the reference. */
export function writeStaticFiles(paths: readonly string[], outdir: string): void {
  if (paths.includes('docs')) writeReferenceFiles(join(outdir, 'docs/files'));
}

/**
 * Bundles the functions into a temporary folder and returns its path. This process removes the
 * folder on exit.
 */
export async function bundleFunctions(
  paths: readonly string[],
  { isLocal = false } = {},
): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'messaging-bundles-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build(bundleOptions(paths, outdir, isLocal));
  writeStaticFiles(paths, outdir);
  if (!isLocal && paths.includes('thumbnails'))
    await writeNativeModules(join(outdir, 'thumbnails'));
  return outdir;
}
