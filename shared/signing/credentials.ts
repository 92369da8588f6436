import { env } from '../env.ts';

/** Replaces @aws-sdk/credential-provider-node, which searches files and services at start-up. */
export const defaultProvider = () => async () => ({
  accessKeyId: env('AWS_ACCESS_KEY_ID'),
  secretAccessKey: env('AWS_SECRET_ACCESS_KEY'),
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});
