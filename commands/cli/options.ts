import { Option } from '@commander-js/extra-typings';
import { stageName, wholeNumberFrom } from './kinds.ts';

const withCredentials = 'uses the AWS credentials and region of this terminal';

/** Options shared by several commands. */
export const stageOption = () =>
  new Option('--stage <name>', `dev, staging, prod, or a custom name: ${withCredentials}`)
    .argParser(stageName)
    .makeOptionMandatory();

export const stageOrLocalOption = () =>
  new Option(
    '--stage <name>',
    `a deployed stage, ${withCredentials}; default: the local cloud started with npm start`,
  ).argParser(stageName);

/** Does not apply to deployed stages. */
export const dataOption = () =>
  new Option('--data <folder>', 'the data folder passed to npm start')
    .default('.local')
    .conflicts('stage');

export const readUnitsOption = () => unitsOption('read', 500);
export const writeUnitsOption = () => unitsOption('write', 200);

const unitsOption = <Kind extends 'read' | 'write'>(of: Kind, most: number) =>
  new Option(`--${of}-units <number>`, 'maximum per second')
    .argParser(wholeNumberFrom(1, 40_000))
    .default(most);

export const yesOption = () => new Option('--yes', 'ask nothing').default(false);
