import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../lib/problem.ts';
import { synthesize } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { readHandlers } from './assembly-handlers.ts';
import type { Companion } from './companion.ts';
import { formatSourceError } from './format-source-error.ts';
import { rebundle } from './rebundle.ts';
import { readSources, type Sources, sourceExists } from './sources.ts';
import { describeStackChanges } from './stack-difference.ts';
import { type Watched, watchSources } from './watch-sources.ts';

/** Handwritten sources, and the files that function bundles include. Excludes generated folders. */
const watched: Watched = {
  folders: ['bin', 'commands/deploy', 'functions', 'lib', 'shared', 'reference', 'docs'],
  files: ['cdk.json', 'openapi.json', 'package.json', 'package-lock.json'],
};

/**
 * Reloads changed code while the local cloud runs. If the source files of a function change,
 * bundles and reloads the function. If the CDK app changes, synthesizes it. If the template then
 * differs, replaces the running stack. If a change fails, prints the error once and keeps the
 * previous version.
 */
export const createReloader =
  (dataDirectory: string): Companion =>
  (cloud, print, paint) => {
    const bundles = join(dataDirectory, 'reloaded');
    let runningSources = readRunningSources(cloud);
    let lastError: { sources: string | undefined; text: string } | undefined;

    const reload = async () => {
      const started = Date.now();
      let currentSources: Sources | undefined;
      try {
        const before = await runningSources;
        currentSources = await readSources(readHandlers(cloud.assembly).paths);
        if (lastError?.sources === serializeSources(currentSources)) return;
        const changed = findChangedFunctions(before, currentSources);
        const isAppChanged = before?.app !== currentSources.app;
        const reloadedLines = isAppChanged
          ? await reloadStack(cloud, changed, dataDirectory)
          : await reloadFunctions(cloud, changed, bundles);
        runningSources = isAppChanged
          ? addNewFunctions(currentSources, readRunningSources(cloud))
          : Promise.resolve(currentSources);
        const [first, ...more] =
          reloadedLines ?? (lastError ? ['The sources match the running version again'] : []);
        lastError = undefined;
        if (first === undefined) return;
        print(paint('green', `${first}, after ${Date.now() - started} ms`));
        for (const line of more) print(`  ${line}`);
      } catch (error) {
        const text = formatSourceError(error);
        if (text !== lastError?.text)
          print(`${paint('red', text)}\nThe previous version keeps running.`);
        lastError = { sources: currentSources && serializeSources(currentSources), text };
      }
    };
    // Changes cannot be detected before the sources of the running version have been read.
    const printReady = () => print(paint('dim', 'Saved changes are loaded automatically.\n'));
    runningSources.then(printReady);
    const stopWatching = watchSources(watched, reload);
    return () => {
      stopWatching();
      rm(bundles, { recursive: true, force: true }).catch(() => {});
    };
  };

/**
 * Returns the sources of the running version. Returns undefined if they cannot be read, for example
 * because a saved change has a syntax error. In that case, all functions and the app count as
 * changed.
 */
const readRunningSources = (cloud: Cloud): Promise<Sources | undefined> =>
  readSources(readHandlers(cloud.assembly).paths).catch(() => undefined);

/**
 * Reloads the changed functions. Returns the lines to print; undefined if nothing changed. Throws a
 * Problem if a function's file was deleted.
 */
async function reloadFunctions(cloud: Cloud, changed: readonly string[], bundles: string) {
  if (changed.length === 0) return undefined;
  const deletedPath = changed.find((path) => !sourceExists(path));
  if (deletedPath !== undefined) throw new Problem(`functions/${deletedPath}.ts no longer exists.`);
  const { getLogicalId } = readHandlers(cloud.assembly);
  const folders = await rebundle(changed, bundles);
  await cloud.replaceCode(
    new Map([...folders].map(([path, folder]) => [getLogicalId(path), folder] as const)),
  );
  return [`Reloaded ${formatPaths(changed)}`];
}

async function reloadStack(cloud: Cloud, changed: readonly string[], dataDirectory: string) {
  const before = cloud.assembly;
  const after = await synthesize('dev', join(dataDirectory, 'synthesis'));
  const difference = describeStackChanges(before.template, after.template);
  if (difference.length > 0) {
    await cloud.replaceStack(after);
    return ['The stack has changed', ...difference];
  }
  if (changed.length === 0) return ['The stack is unchanged'];
  const handlers = readHandlers(after);
  await cloud.replaceCode(
    new Map(
      changed.map((path) => [handlers.getLogicalId(path), handlers.getBundleFolder(path)] as const),
    ),
  );
  return [`The stack is unchanged; reloaded ${formatPaths(changed)}`];
}

/**
 * Adds the hashes of new functions, whose sources are read after the synthesis. Retains all other
 * hashes, so that a file saved during the synthesis still counts as changed.
 */
async function addNewFunctions(
  current: Sources,
  running: Promise<Sources | undefined>,
): Promise<Sources | undefined> {
  const after = await running;
  return (
    after && { app: current.app, functions: new Map([...after.functions, ...current.functions]) }
  );
}

const findChangedFunctions = (before: Sources | undefined, current: Sources): string[] =>
  [...current.functions].flatMap(([path, hash]) =>
    before?.functions.get(path) === hash ? [] : path,
  );

const serializeSources = ({ app, functions }: Sources) => JSON.stringify([app, ...functions]);

const maxListed = 3;

const formatPaths = (paths: readonly string[]) =>
  paths.length <= maxListed
    ? paths.join(', ')
    : `${paths.slice(0, maxListed).join(', ')} and ${paths.length - maxListed} more`;
