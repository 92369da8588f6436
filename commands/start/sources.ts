import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, type Metafile } from 'esbuild';
import { bundleOptions } from '../../lib/bundle-functions.ts';
import { Problem } from '../../lib/problem.ts';
import { referenceSources } from '../../lib/reference-files.ts';

export const root = join(import.meta.dirname, '../..');

/** Fingerprints of what functions, by their paths, and the CDK app are made of, in so far as it is ours. */
export interface Sources {
  functions: ReadonlyMap<string, string>;
  app: string;
}

/** Of a function whose file is not there any more: whether the app still has it, the app says. */
const gone = 'gone';

/** Whether there is a file for the function of that path. */
export const isThere = (path: string): boolean => existsSync(join(root, `functions/${path}.ts`));

/** Read by the app as well, without being imported. */
const alsoOfTheApp = ['cdk.json', 'package.json', 'package-lock.json'];

/**
 * Looks through all that the functions and the app import of ours, which takes no time, as packages are not looked into.
 * Throws a Problem with the places of what is wrong: what cannot be parsed, and imports that lead nowhere.
 */
export async function readSources(paths: readonly string[]): Promise<Sources> {
  const [functions, app] = await Promise.all([
    inputsOf({ ...bundleOptions(paths.filter(isThere), root, false), minify: false }),
    inputsOf({
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
      ...paths.map((path) => [path, gone] as const),
      ...Object.values(functions.outputs).map(({ entryPoint = '', inputs }) =>
        sourcesOf(pathOf(entryPoint), Object.keys(inputs)),
      ),
    ]),
    app: fingerprint([
      ...Object.values(app.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
      ...alsoOfTheApp,
    ]),
  };
}

/** Of a function: all that it imports, and of `docs` what it serves. */
const sourcesOf = (path: string, imported: readonly string[]) =>
  [path, fingerprint(path === 'docs' ? [...imported, ...referenceSources] : imported)] as const;

/** functions/messages/list.ts → messages/list */
const pathOf = (entry: string) => entry.replace(/^functions\//, '').replace(/\.ts$/, '');

async function inputsOf(options: BuildOptions): Promise<Metafile> {
  try {
    const { metafile } = await build({
      ...options,
      alias: {},
      packages: 'external',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    if (!metafile) throw new Error('esbuild tells nothing of what it has read.');
    return metafile;
  } catch (error) {
    throw isBuildFailure(error) ? new Problem(placesIn(error)) : error;
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

const maxErrors = 3;

/** `functions/messages/list.ts:17:4: Expected ";" but found "x"`, and the line. */
const placesIn = ({ errors }: BuildFailure) =>
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
