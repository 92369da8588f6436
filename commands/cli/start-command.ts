import { Option } from '@commander-js/extra-typings';
import { defineCommand } from './command.ts';
import type { CommandName } from './commands.ts';
import { createIntegerParser } from './option-parsers.ts';

export const defineStartCommand = (name: CommandName, helpText: string) =>
  defineCommand(name, helpText)
    .addOption(
      new Option('--port <number>', 'port of the API')
        .argParser(createIntegerParser(0, 65_535))
        .env('PORT')
        .default(3000),
    )
    .option('--data <folder>', 'folder for the data, the keys and the synthesized stack', '.local')
    .option('--in-memory', 'delete the data on exit', false)
    .option('--no-demo', 'do not add demo data to an empty table')
    .option('--no-playground', 'do not serve the playground at /')
    .option('--strict', 'reject unknown parameters and fields', false)
    .option('--quiet', 'do not print requests', false)
    .addOption(
      new Option(
        '--json',
        'print the JSON log lines of functions to standard output, and everything else to standard error',
      )
        .conflicts('quiet')
        .default(false),
    );
