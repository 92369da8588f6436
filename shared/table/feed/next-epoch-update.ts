import { epochKey } from '../keys/keys.ts';

/**
 * Update that starts the next feed epoch: see feed-epoch.ts. In a file of its own because commands
 * run without a function's environment.
 */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
