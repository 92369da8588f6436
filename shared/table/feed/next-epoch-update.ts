import { epochKey } from '../keys/keys.ts';

/**
 * Update that starts the next feed epoch. In its own file, because commands lack a function's
 * environment.
 */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
