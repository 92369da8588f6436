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

/** What is written by hand, and what the functions' bundles have besides; generated folders lie elsewhere. */
const watched: Watched = {
  folders: ['bin', 'commands/deploy', 'functions', 'lib', 'shared', 'reference'],
  files: ['cdk.json', 'openapi.json', 'package.json', 'package-lock.json'],
};

/**
 * Has what changes serve while the local cloud runs on that folder: functions are bundled and loaded anew when their own
 * files have changed; when the app's have, it is synthesized, and its stack takes the place of the one that serves if it is
 * another. What is wrong is said once, and changes nothing.
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
        const [first, ...more] = done ?? (wrong ? ['It is as it was before the error'] : []);
        wrong = undefined;
        if (first === undefined) return;
        say(paint('green', `${first}, after ${Date.now() - started} ms`));
        for (const line of more) say(`  ${line}`);
      } catch (error) {
        const text = complaint(error);
        if (text !== wrong?.text) say(`${paint('red', text)}\nWhat served before serves on.`);
        wrong = { sources: now && textOf(now), text };
      }
    };
    // Only now it is known what serves, and so what is a change.
    const ready = () => say(paint('dim', 'What you change is loaded when you save it.\n'));
    served.then(ready, ready);
    const end = watchSources(watched, look);
    return () => {
      end();
      rm(bundles, { recursive: true, force: true }).catch(() => {});
    };
  };

/** What was done, in lines; undefined if there was nothing to do. */
async function reloadFunctions(cloud: Cloud, changed: readonly string[], bundles: string) {
  if (changed.length === 0) return undefined;
  const gone = changed.find((path) => !isThere(path));
  if (gone !== undefined) throw new Problem(`functions/${gone}.ts is not there any more.`);
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
    return ['The stack is another', ...difference];
  }
  if (changed.length === 0) return ['The stack is as it was'];
  const handlers = handlersIn(after);
  await cloud.replaceCode(
    new Map(changed.map((path) => [handlers.idOf(path), handlers.folderOf(path)] as const)),
  );
  return [`The stack is as it was; reloaded ${listed(changed)}`];
}

/** What was saved while the app was synthesized is a change still: only of functions that are new it is read by now. */
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
