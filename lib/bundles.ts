import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { writeReferenceFiles } from './reference-files.ts';

const root = join(import.meta.dirname, '..');

/**
 * How the given files of functions/ (paths without `.ts`) are bundled: into `<path>/index.js` each, in that folder. With
 * `places`, a source map lies beside each, which the bundle itself does not know of.
 *
 * The settings are the quickest to start that were measured: CommonJS (an ES module that imports node:http makes Node
 * load undici), minified, the SDK's own ES sources (they shake smaller), dynamic imports made static, and credentials
 * read from the environment only, where Lambda puts them.
 */
export const bundleOptions = (paths: readonly string[], outdir: string, places: boolean) =>
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
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'shared/credentials.ts'),
    },
    logLevel: 'error',
    ...(places && { sourcemap: 'external', sourcesContent: false }),
  }) satisfies BuildOptions;

/** What lies in the folder beside the bundles: beside `docs` what it serves. */
export function writeNextTo(paths: readonly string[], outdir: string): void {
  if (paths.includes('docs')) writeReferenceFiles(join(outdir, 'docs/files'));
}

/**
 * Bundles them all in one go, with what lies beside them, and returns the folder. It is gone when the process ends:
 * synthesis copies from it.
 */
export function bundleFunctions(paths: readonly string[], { places = false } = {}): string {
  const outdir = mkdtempSync(join(tmpdir(), 'messaging-bundles-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  buildSync(bundleOptions(paths, outdir, places));
  writeNextTo(paths, outdir);
  return outdir;
}
