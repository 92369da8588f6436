import { Command, Help } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';
import { type CommandName, commands } from './commands.ts';
import { toDiskErrorMessage } from './disk-error-message.ts';
import { UsageProblem } from './usage-problem.ts';

/**
 * Returns a command without an action; the caller adds options and an action. The help shows the
 * command's `summary` from `commands`, then `helpText`.
 */
export function defineCommand(name: CommandName, helpText = ''): Command {
  const { run: commandLine, summary } = commands[name];
  return new Command(`${commandLine} --`)
    .description(`${summary}\n${helpText}`.trim())
    .helpOption('--help', 'print this help')
    .configureHelp({
      optionDescription: (option) => omitEmptyDefaults(defaultHelp.optionDescription(option)),
    })
    .showHelpAfterError(`For all options: ${commandLine} -- --help`);
}

const defaultHelp = new Help();
/** Omits the defaults `false` and `[]` from the help. */
const omitEmptyDefaults = (text: string) => text.replace(/ ?\(default: (false|\[\])\)$/, '');

/**
 * Parses the command line and runs the action. If the action throws, prints the error and exits
 * with code 1. Prints a stack trace only for unexpected errors. `pathOption` is the option that
 * selects the output path.
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
