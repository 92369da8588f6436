import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, type Metafile } from 'esbuild';
import { bundleOptions, toFunctionPath } from '../../lib/bundle-functions.ts';
import { Problem } from '../../lib/problem.ts';
import { referenceSources } from '../../lib/reference-files.ts';

export const root = join(import.meta.dirname, '../..');

/** Fingerprints of the project's own source files, for each function and for the CDK app. */
export interface Sources {
  functions: ReadonlyMap<string, string>;
  app: string;
}

/**
 * Value in place of a hash for a function whose file was deleted. The CDK app determines whether
 * the stack still contains the function.
 */
const missingSource = 'gone';

export const sourceExists = (path: string): boolean =>
  existsSync(join(root, `functions/${path}.ts`));

/** Files that the app reads but does not import. */
const appFiles = ['cdk.json', 'package.json', 'package-lock.json'];

/**
 * Returns the fingerprints of the project's own files that the functions and the app import. For
 * speed, skips imported packages. Throws a Problem with the positions of the first syntax errors
 * and unresolved imports.
 */
export async function readSources(paths: readonly string[]): Promise<Sources> {
  const [functions, app] = await Promise.all([
    collectInputs({
      ...bundleOptions(paths.filter(sourceExists), root, true),
      ...{ minify: false, sourcemap: false },
    }),
    collectInputs({
      absWorkingDir: root,
      entryPoints: ['bin/messaging.ts'],
      outdir: root,
      bundle: true,
      platform: 'node',
      format: 'esm',
    }),
  ]);
  return {
    functions: new Map([
      ...paths.map((path) => [path, missingSource] as const),
      ...[
        ...Map.groupBy(Object.values(functions.outputs), ({ entryPoint = '' }) =>
          toFunctionPath(entryPoint),
        ),
      ].map(([path, outputs]) =>
        fingerprintFunction(
          path,
          outputs.flatMap(({ inputs }) => Object.keys(inputs)),
        ),
      ),
    ]),
    app: fingerprint([
      ...Object.values(app.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
      ...appFiles,
    ]),
  };
}

/** Hashes the files that a function imports; for `docs`, also the files that it serves. */
const fingerprintFunction = (path: string, imported: readonly string[]) =>
  [path, fingerprint(path === 'docs' ? [...imported, ...referenceSources] : imported)] as const;

async function collectInputs(options: BuildOptions): Promise<Metafile> {
  try {
    const { metafile } = await build({
      ...options,
      alias: {},
      packages: 'external',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    if (!metafile) throw new Error('esbuild returned no metafile.');
    return metafile;
  } catch (error) {
    throw isBuildFailure(error) ? new Problem(formatBuildErrors(error)) : error;
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

const maxErrors = 3;

/**
 * Returns up to three errors as lines such as `functions/messages/list.ts:17:4: Expected ";" but
 * found "x"`, each followed by the source line.
 */
const formatBuildErrors = ({ errors }: BuildFailure) =>
  errors
    .slice(0, maxErrors)
    .map(({ text, location }) =>
      location
        ? `${location.file}:${location.line}:${location.column + 1}: ${text}\n    ${location.lineText.trim()}`
        : text,
    )
    .join('\n');

function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
