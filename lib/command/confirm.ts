import { Problem } from '../problem.ts';
import type { Tools } from './tools.ts';

/** Has the name of the stage typed, as a hand slips less easily over a name than over a `y`. */
export async function confirm(
  tools: Pick<Tools, 'ask'>,
  stageName: string,
  what: string,
): Promise<void> {
  if (!tools.ask) throw new Problem(nobodyToAsk);
  const typed = await tools.ask(`${what} Type the name of the stage to go on: `);
  if (typed.trim() !== stageName) throw new Problem('Nothing was done.');
}

export const nobodyToAsk =
  'There is nobody to ask here: give --yes to go on without being asked, or run this in a terminal.';
