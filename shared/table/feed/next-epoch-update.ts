import { epochKey } from '../keys/keys.ts';

/**
 * An update that begins the next of the feeds' lives: see epoch.ts. A command does it, which has nothing of a function's
 * environment.
 */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
