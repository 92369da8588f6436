import { epochKey } from '../keys/keys.ts';

/** Starts the next feed epoch. Separate, because commands have no function's environment. */
export const nextEpochUpdate = {
  Key: epochKey,
  UpdateExpression: 'ADD epoch :one',
  ExpressionAttributeValues: { ':one': 1 },
};
