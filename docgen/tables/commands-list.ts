import { type CommandRow, commands } from '../../commands/cli/commands.ts';

const line = ({ run, example, does }: CommandRow) =>
  `- \`${example === undefined ? run : `${run} -- ${example}`}\`: ${does}`;

/** List of commands for docs/commands.md, each with a description and, if available, an example. */
export const commandsList = Object.values(commands).map(line).join('\n');
