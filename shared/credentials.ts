import { env } from './env.ts';

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles. That package searches files, processes
 * and metadata services at start-up; Lambda provides credentials in the environment.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: env('AWS_ACCESS_KEY_ID'),
  secretAccessKey: env('AWS_SECRET_ACCESS_KEY'),
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});
