import { type CommandRow, commands } from '../../commands/cli/commands.ts';

const line = ({ run, example, summary }: CommandRow) =>
  `- \`${example === undefined ? run : `${run} -- ${example}`}\`: ${summary}`;

/** List of commands for docs/commands.md. */
export const commandsList = Object.values(commands).map(line).join('\n');
