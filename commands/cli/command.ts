import { Command, Help } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';
import { type CommandName, commands } from './commands.ts';
import { toDiskErrorMessage } from './disk-error-message.ts';
import { UsageProblem } from './usage-problem.ts';

/**
 * Returns a command, to which the caller adds options and an action. In its help, `helpText`
 * follows the sentence from the table of commands.
 */
export function defineCommand(name: CommandName, helpText = ''): Command {
  const { run: called, does } = commands[name];
  return new Command(`${called} --`)
    .description(`${does}\n${helpText}`.trim())
    .helpOption('--help', 'print this')
    .configureHelp({
      optionDescription: (option) => omitEmptyDefaults(defaultHelp.optionDescription(option)),
    })
    .showHelpAfterError(`For all options: ${called} -- --help`);
}

const defaultHelp = new Help();
/** Omits the defaults `false` and `[]` from the help. */
const omitEmptyDefaults = (text: string) => text.replace(/ ?\(default: (false|\[\])\)$/, '');

/**
 * Runs the command line. If the action throws, exits with code 1 after printing the message of a
 * Problem (for a UsageProblem, also how to list the options), one line for an AWS or disk error, or
 * the stack trace of any other error. `pathOption` is the option that selects the output path.
 */
export async function run(
  command: Pick<Command, 'error'> & { parseAsync(): Promise<unknown> },
  pathOption?: string,
) {
  try {
    await command.parseAsync();
  } catch (error) {
    if (error instanceof UsageProblem) command.error(`error: ${error.message}`);
    console.error(
      toDiskErrorMessage(error, pathOption) ??
        (error instanceof Problem ? error.message : (toAwsErrorMessage(error) ?? error)),
    );
    process.exit(1);
  }
}
