import { Option } from '@commander-js/extra-typings';
import { createIntegerParser, parseStageName } from './option-parsers.ts';

const credentialsText = 'uses the AWS credentials and region of this terminal';

export const stageOption = () =>
  new Option('--stage <name>', `dev, staging, prod, or a custom name; ${credentialsText}`)
    .argParser(parseStageName)
    .makeOptionMandatory();

export const stageOrLocalOption = () =>
  new Option(
    '--stage <name>',
    `a deployed stage (${credentialsText}); default: the local cloud started with npm start`,
  ).argParser(parseStageName);

export const dataOption = () =>
  new Option('--data <folder>', 'the data folder passed to npm start')
    .default('.local')
    .conflicts('stage');

export const readUnitsOption = () => createUnitsOption('read', 500);
export const writeUnitsOption = () => createUnitsOption('write', 200);

const createUnitsOption = <Kind extends 'read' | 'write'>(action: Kind, defaultUnits: number) =>
  new Option(`--${action}-units <number>`, `maximum ${action} units per second`)
    .argParser(createIntegerParser(1, 40_000))
    .default(defaultUnits);

export const yesOption = () => new Option('--yes', 'skip the confirmation').default(false);
