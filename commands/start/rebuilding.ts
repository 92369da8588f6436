import { playgroundSources } from '../../local-cloud/playground/built.ts';
import type { Companion } from './beside.ts';
import { complaint } from './complaint.ts';
import { watchSources } from './watch.ts';

/**
 * Has the playground built anew when what it is made of has changed, the client included; whoever loads its page again sees
 * it. What is wrong is said once, and changes nothing.
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
          paint(
            'green',
            `The playground is built anew, after ${Date.now() - started} ms: load it again`,
          ),
        );
      } else if (wrong) say(paint('green', 'The playground is as it was before the error'));
      wrong = undefined;
    } catch (error) {
      const text = complaint(error);
      if (text !== wrong) say(`${paint('red', text)}\nWhat served before serves on.`);
      wrong = text;
    }
  };
  return watchSources(playgroundSources, look);
};
