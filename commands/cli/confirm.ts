import { Problem } from '../../lib/problem.ts';
import type { Tools } from './tools.ts';

/**
 * Asks the operator to type a name, usually the stage's. Typing a name prevents more accidents than
 * typing `y`.
 */
export async function confirm(
  tools: Pick<Tools, 'ask'>,
  name: string,
  what: string,
  isCalled = 'the name of the stage',
): Promise<void> {
  if (!tools.ask) throw new Problem(nobodyToAsk);
  const typed = await tools.ask(`${what} Type ${isCalled} to continue: `);
  if (typed.trim() !== name) throw new Problem('Nothing was changed.');
}

export const nobodyToAsk =
  'Confirmation requires a terminal: run this in a terminal, or add --yes.';
