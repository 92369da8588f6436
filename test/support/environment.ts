/**
 * What the stack gives a function, for handlers that run inside a test. Each test file has a table of its own, and
 * each jest worker a database of its own: DynamoDB Local keeps one for every access key.
 */
import { randomUUID } from 'node:crypto';

Object.assign(process.env, {
  TABLE_NAME: `messaging-${randomUUID()}`,
  ALLOWED_ORIGINS: '*',
  DOCUMENTATION_URL: 'https://messaging.example.com/docs/errors.md',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: `worker${process.env.JEST_WORKER_ID}`,
  AWS_SECRET_ACCESS_KEY: 'secret',
});
