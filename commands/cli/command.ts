import { Command, Help } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';
import { type CommandName, commands } from './commands.ts';
import { diskComplaint } from './disk-complaint.ts';
import { UsageProblem } from './usage-problem.ts';

/** A command to add options and an action to; `more` is what its help says beside the sentence of the table. */
export function defineCommand(name: CommandName, more = ''): Command {
  const { run: called, does } = commands[name];
  return new Command(`${called} --`)
    .description(`${does}\n${more}`.trim())
    .helpOption('--help', 'print this')
    .configureHelp({
      optionDescription: (option) => withoutNone(described.optionDescription(option)),
    })
    .showHelpAfterError();
}

const described = new Help();
/** That a flag is not given unless it is, and a list empty, goes without saying. */
const withoutNone = (text: string) => text.replace(/ ?\(default: (false|\[\])\)$/, '');

/**
 * Runs it with the command line. What its action throws ends it with the code 1, as a wrong option does: a UsageProblem is
 * told with the usage, a Problem by its message alone, what AWS or a disk refuses in a line, and anything else, which is a fault of
 * ours, with its trace. `placeOption` is the option by which it is told where to write.
 */
export async function run(
  command: Pick<Command, 'error'> & { parseAsync(): Promise<unknown> },
  placeOption?: string,
) {
  try {
    await command.parseAsync();
  } catch (error) {
    if (error instanceof UsageProblem) command.error(`error: ${error.message}`);
    console.error(
      diskComplaint(error, placeOption) ??
        (error instanceof Problem ? error.message : (awsComplaint(error) ?? error)),
    );
    process.exit(1);
  }
}
