import { playgroundSources } from '../../local-cloud/playground/built.ts';
import type { Companion } from './beside.ts';
import { complaint } from './complaint.ts';
import { watchSources } from './watch.ts';

/**
 * Rebuilds the playground when its sources or the client change; a page reload shows the result.
 * Errors are printed once and change nothing.
 */
export const rebuilding: Companion = ({ playground }, say, paint) => {
  if (!playground) return () => {};
  let wrong: string | undefined;
  const look = async () => {
    const started = Date.now();
    try {
      const isAnother = await playground.rebuild();
      if (isAnother) {
        say(
          paint('green', `Rebuilt the playground in ${Date.now() - started} ms: reload the page`),
        );
      } else if (wrong) say(paint('green', 'Restored the playground before the error'));
      wrong = undefined;
    } catch (error) {
      const text = complaint(error);
      if (text !== wrong) say(`${paint('red', text)}\nThe previous version keeps running.`);
      wrong = text;
    }
  };
  return watchSources(playgroundSources, look);
};
