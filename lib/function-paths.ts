import type { Operation } from '../shared/contract/operation.ts';
import { operations } from '../shared/contract/operations.ts';

/** Returns the entry file of an operation's function, as a path in functions/ without `.ts`. */
export const getFunctionPath = ({ id, sharedFunction }: Operation): string => sharedFunction ?? id;

/** Entry files of all functions that a stage can have, as paths in functions/ without `.ts`. */
export const functionPaths: readonly string[] = [
  'authorizer',
  'channel-authorizer',
  'purge',
  'live',
  'scan',
  'thumbnails',
  'webhooks',
  'probe',
  'deployment-hook',
  'docs',
  ...new Set(operations.map(getFunctionPath)),
];
