import { createHmac } from 'node:crypto';
import { random } from '../ids.ts';

/** Prefix of secrets and version of signatures in Standard Webhooks 1.0. */
const secretPrefix = 'whsec_';
const version = 'v1';
const secretBytes = 32;

export const newSecret = (): string =>
  secretPrefix + Buffer.from(random.bytes(secretBytes)).toString('base64');

/**
 * Returns the headers of an attempt: the event's id, the time in Unix seconds, and a signature with
 * each secret.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signAttempt(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`);
    return `${version},${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
