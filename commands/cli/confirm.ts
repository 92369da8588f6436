import { Problem } from '../../lib/problem.ts';
import type { CommandTools } from './command-tools.ts';

/**
 * Asks the operator to type `name`, which prevents more accidents than typing `y`. Throws a Problem
 * if the operator types anything else, or if there is no terminal.
 */
export async function confirm(
  tools: Pick<CommandTools, 'prompt'>,
  name: string,
  warning: string,
  nameLabel = 'the name of the stage',
): Promise<void> {
  if (!tools.prompt) throw new Problem(noTerminalText);
  const typed = await tools.prompt(`${warning} Type ${nameLabel} to continue: `);
  if (typed.trim() !== name) throw new Problem('Nothing was changed.');
}

export const noTerminalText =
  'Confirmation requires a terminal: run the command in a terminal, or add --yes.';
