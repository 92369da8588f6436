import { Problem } from '../../lib/problem.ts';
import type { Tools } from './tools.ts';

/** Has a name typed, mostly the stage's, as a hand slips less easily over a name than over a `y`. */
export async function confirm(
  tools: Pick<Tools, 'ask'>,
  name: string,
  what: string,
  isCalled = 'the name of the stage',
): Promise<void> {
  if (!tools.ask) throw new Problem(nobodyToAsk);
  const typed = await tools.ask(`${what} Type ${isCalled} to go on: `);
  if (typed.trim() !== name) throw new Problem('Nothing was done.');
}

export const nobodyToAsk =
  'There is nobody to ask here: give --yes to go on without being asked, or run this in a terminal.';
