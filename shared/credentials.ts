import { env } from './env.ts';

/**
 * Stands in the bundles for @aws-sdk/credential-provider-node, whose search through files, processes and metadata
 * services costs start-up: Lambda gives a function its credentials in the environment, fresh for each environment.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: env('AWS_ACCESS_KEY_ID'),
  secretAccessKey: env('AWS_SECRET_ACCESS_KEY'),
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});
