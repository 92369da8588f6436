import { playgroundSources } from '../../local-cloud/playground/build-playground.ts';
import type { Companion } from './companion.ts';
import { formatSourceError } from './format-source-error.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Rebuilds the playground when its sources or the client change. A page reload shows the result. If
 * a rebuild fails, prints the error once and keeps the previous version.
 */
export const rebuildPlayground: Companion = ({ playground }, print, paint) => {
  if (!playground) return () => {};
  let lastError: string | undefined;
  const rebuild = async () => {
    const started = Date.now();
    try {
      const isRebuilt = await playground.rebuild();
      if (isRebuilt) {
        print(
          paint('green', `Rebuilt the playground in ${Date.now() - started} ms: reload the page`),
        );
      } else if (lastError) print(paint('green', 'The sources match the running playground again'));
      lastError = undefined;
    } catch (error) {
      const text = formatSourceError(error);
      if (text !== lastError) print(`${paint('red', text)}\nThe previous version keeps running.`);
      lastError = text;
    }
  };
  return watchSources(playgroundSources, rebuild);
};
