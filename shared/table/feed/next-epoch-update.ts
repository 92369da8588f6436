import { epochKey } from '../keys/keys.ts';

/**
 * Update that starts the next feed epoch. Commands cannot import feed-epoch.ts, because its imports
 * require a function's environment variables.
 */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
