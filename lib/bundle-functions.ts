import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { markContractPure } from './mark-pure.ts';
import { bundleSharp, writeNativeModules } from './native-modules.ts';
import { writeReferenceFiles } from './reference-files.ts';

const root = join(import.meta.dirname, '..');

/** Programs that functions start, by function path; bundled into the function's folder. */
const programs: Readonly<Record<string, Record<string, string>>> = {
  thumbnails: { resize: 'shared/thumbnails/resize-program.ts' },
};

/** Returns the path of the function whose handler or program is this entry file. */
export const toFunctionPath = (entry: string): string =>
  Object.entries(programs).find(([, files]) => Object.values(files).includes(entry))?.[0] ??
  entry.replace(/^functions\//, '').replace(/\.ts$/, '');

/**
 * Returns esbuild's options for functions (paths without `.ts`), each bundled to `<path>/index.js`.
 * With `runsHere`, writes unlinked source maps and uses this machine's native modules. Of the
 * settings measured, these start fastest: CommonJS (an ES module that imports node:http makes Node
 * load undici), minified, packages' ES sources (smaller after tree shaking), no dynamic imports.
 */
export const bundleOptions = (paths: readonly string[], outdir: string, runsHere: boolean) =>
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
    plugins: [markContractPure, bundleSharp(runsHere)],
    logLevel: 'error',
    ...(runsHere && { sourcemap: 'external', sourcesContent: false }),
  }) satisfies BuildOptions;

/** Writes the other files of a function's folder: for `docs`, the pages it serves. */
export function writeStaticFiles(paths: readonly string[], outdir: string): void {
  if (paths.includes('docs')) writeReferenceFiles(join(outdir, 'docs/files'));
}

/**
 * Bundles the functions and returns their folder. Synthesis copies the folder's files before this
 * process removes the folder on exit.
 */
export async function bundleFunctions(
  paths: readonly string[],
  { runsHere = false } = {},
): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'messaging-bundles-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build(bundleOptions(paths, outdir, runsHere));
  writeStaticFiles(paths, outdir);
  if (!runsHere && paths.includes('thumbnails'))
    await writeNativeModules(join(outdir, 'thumbnails'));
  return outdir;
}
