import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../lib/problem.ts';
import { synthesize } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import type { Companion } from './beside.ts';
import { rebundle } from './bundle-anew.ts';
import { complaint } from './complaint.ts';
import { stackDifference } from './difference.ts';
import { handlersIn } from './handlers.ts';
import { isThere, readSources, type Sources } from './sources.ts';
import { type Watched, watchSources } from './watch.ts';

/** Handwritten sources and the files that function bundles include. Excludes generated folders. */
const watched: Watched = {
  folders: ['bin', 'commands/deploy', 'functions', 'lib', 'shared', 'reference'],
  files: ['cdk.json', 'openapi.json', 'package.json', 'package-lock.json'],
};

/**
 * Reloads changed code while the local cloud runs. If the files of a function change, bundles and
 * reloads it. If the CDK app changes, synthesizes it and replaces the running stack if it differs.
 * Errors are printed once and change nothing.
 */
export const reloading =
  (dataDirectory: string): Companion =>
  (cloud, say, paint) => {
    const bundles = join(dataDirectory, 'reloaded');
    let served = readSources(handlersIn(cloud.assembly).paths);
    let wrong: { sources: string | undefined; text: string } | undefined;

    const look = async () => {
      const started = Date.now();
      let now: Sources | undefined;
      try {
        const before = await served;
        now = await readSources(handlersIn(cloud.assembly).paths);
        if (wrong?.sources === textOf(now)) return;
        const changed = changedIn(before, now);
        const done =
          before.app === now.app
            ? await reloadFunctions(cloud, changed, bundles)
            : await reloadStack(cloud, changed, dataDirectory);
        served =
          before.app === now.app
            ? Promise.resolve(now)
            : withNew(now, readSources(handlersIn(cloud.assembly).paths));
        const [first, ...more] = done ?? (wrong ? ['Restored the state before the error'] : []);
        wrong = undefined;
        if (first === undefined) return;
        say(paint('green', `${first}, after ${Date.now() - started} ms`));
        for (const line of more) say(`  ${line}`);
      } catch (error) {
        const text = complaint(error);
        if (text !== wrong?.text) say(`${paint('red', text)}\nThe previous version keeps running.`);
        wrong = { sources: now && textOf(now), text };
      }
    };
    // Only now are the running sources known, and with them what counts as a change.
    const ready = () => say(paint('dim', 'Saved changes are loaded automatically.\n'));
    served.then(ready, ready);
    const end = watchSources(watched, look);
    return () => {
      end();
      rm(bundles, { recursive: true, force: true }).catch(() => {});
    };
  };

/** Returns what was reloaded, in lines; undefined if nothing changed. */
async function reloadFunctions(cloud: Cloud, changed: readonly string[], bundles: string) {
  if (changed.length === 0) return undefined;
  const gone = changed.find((path) => !isThere(path));
  if (gone !== undefined) throw new Problem(`functions/${gone}.ts no longer exists.`);
  const { idOf } = handlersIn(cloud.assembly);
  const folders = await rebundle(changed, bundles);
  await cloud.replaceCode(
    new Map([...folders].map(([path, folder]) => [idOf(path), folder] as const)),
  );
  return [`Reloaded ${listed(changed)}`];
}

async function reloadStack(cloud: Cloud, changed: readonly string[], dataDirectory: string) {
  const before = cloud.assembly;
  const after = await synthesize('dev', join(dataDirectory, 'synthesis'));
  const difference = stackDifference(before.template, after.template);
  if (difference.length > 0) {
    await cloud.replaceStack(after);
    return ['The stack has changed', ...difference];
  }
  if (changed.length === 0) return ['The stack is unchanged'];
  const handlers = handlersIn(after);
  await cloud.replaceCode(
    new Map(changed.map((path) => [handlers.idOf(path), handlers.folderOf(path)] as const)),
  );
  return [`The stack is unchanged; reloaded ${listed(changed)}`];
}

/**
 * A file saved during the synthesis still counts as a change. Only the sources of new functions are
 * already read.
 */
const withNew = async (now: Sources, after: Promise<Sources>): Promise<Sources> => ({
  app: now.app,
  functions: new Map([...(await after).functions, ...now.functions]),
});

const changedIn = (before: Sources, now: Sources): string[] =>
  [...now.functions].flatMap(([path, hash]) => (before.functions.get(path) === hash ? [] : path));

const textOf = ({ app, functions }: Sources) => JSON.stringify([app, ...functions]);

const maxListed = 3;

const listed = (paths: readonly string[]) =>
  paths.length <= maxListed
    ? paths.join(', ')
    : `${paths.slice(0, maxListed).join(', ')} and ${paths.length - maxListed} more`;
