import { Option } from '@commander-js/extra-typings';
import { stageName, wholeNumberFrom } from './kinds.ts';

const withCredentials = 'reached with the AWS credentials and region of this terminal';

/** Options that several commands have. */
export const stageOption = () =>
  new Option('--stage <name>', `dev, staging, prod, or one of your own: ${withCredentials}`)
    .argParser(stageName)
    .makeOptionMandatory();

export const stageOrLocalOption = () =>
  new Option(
    '--stage <name>',
    `a deployed stage, ${withCredentials}; without it, the local cloud that npm start runs`,
  ).argParser(stageName);

/** A deployed stage has no folder here. */
export const dataOption = () =>
  new Option('--data <folder>', 'the folder that npm start was given')
    .default('.local')
    .conflicts('stage');

export const readUnitsOption = () => unitsOption('read', 500);
export const writeUnitsOption = () => unitsOption('write', 200);

const unitsOption = <Kind extends 'read' | 'write'>(of: Kind, most: number) =>
  new Option(`--${of}-units <number>`, 'a second, at most')
    .argParser(wholeNumberFrom(1, 40_000))
    .default(most);

export const yesOption = () => new Option('--yes', 'ask nothing').default(false);
