import { Option } from '@commander-js/extra-typings';
import { defineCommand } from './command.ts';
import type { CommandName } from './commands.ts';
import { wholeNumberFrom } from './kinds.ts';

/** The command of that name, with what can be said of a local cloud that is to start. */
export const startCommand = (name: CommandName, more: string) =>
  defineCommand(name, more)
    .addOption(
      new Option('--port <number>', 'where the API listens')
        .argParser(wholeNumberFrom(0, 65_535))
        .env('PORT')
        .default(3000),
    )
    .option(
      '--data <folder>',
      'where the data, the keys and the synthesized stack are kept',
      '.local',
    )
    .option('--in-memory', 'forget the data at the end', false)
    .option('--no-demo', 'leave an empty table so')
    .option('--no-playground', 'have no page at / to try the API with')
    .option('--quiet', 'do not show requests', false)
    .addOption(
      new Option(
        '--json',
        'print what the functions log as they do; all else to the standard error',
      )
        .conflicts('quiet')
        .default(false),
    );
