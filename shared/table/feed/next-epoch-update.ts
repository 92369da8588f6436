import { epochKey } from '../keys/keys.ts';

/**
 * Update that starts the next feed epoch. Separate from feed-epoch.ts, which commands cannot import
 * because it needs a function's environment variables.
 */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
