import { operations } from '../shared/contract/operations.ts';

/** Entry files of the functions of all stages, below functions/, without `.ts`. */
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
  ...operations.map(({ id }) => id),
];
