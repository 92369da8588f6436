import { operations } from '../shared/contract/operations.ts';

/** The entries of all functions that any stage has: their files below functions/, without `.ts`. */
export const functionPaths: readonly string[] = [
  'authorizer',
  'channel-authorizer',
  'purge',
  'live',
  'probe',
  'proving',
  'docs',
  ...operations.map(({ id }) => id),
];
