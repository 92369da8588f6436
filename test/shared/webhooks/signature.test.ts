import { describe, expect, test } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { newSecret, signAttempt } from '../../../shared/webhooks/signature.ts';

const [secret, other] = [newSecret(), newSecret()];
const body = JSON.stringify({ id: 'event-1', payload: { message: 'Grüße 👋' } });
const seconds = Math.floor(Date.now() / 1000);
const attempt = { id: 'event-1', seconds, body };
const verify = (key: string, text: string, headers: Record<string, string>) =>
  new Webhook(key).verify(text, headers);

describe('The npm package standardwebhooks', () => {
  test('accepts a signed attempt', () => {
    expect(verify(secret, body, signAttempt([secret], attempt))).toEqual(JSON.parse(body));
  });

  test('accepts an attempt with either secret if both secrets signed the attempt', () => {
    const headers = signAttempt([secret, other], attempt);
    for (const key of [secret, other]) expect(verify(key, body, headers)).toEqual(JSON.parse(body));
  });

  test.each([
    ['a changed byte', secret, body.replace('event-1', 'event-2'), attempt],
    ['another secret', other, body, attempt],
    ['a timestamp ten minutes in the past', secret, body, { ...attempt, seconds: seconds - 600 }],
    ['a timestamp ten minutes in the future', secret, body, { ...attempt, seconds: seconds + 600 }],
  ])('refuses %s', (_, key, text, signed) => {
    const headers = signAttempt([secret], signed);
    expect(() => verify(key, text, headers)).toThrow(WebhookVerificationError);
  });

  test('refuses an attempt sent with another id', () => {
    const headers = { ...signAttempt([secret], attempt), 'webhook-id': 'event-2' };
    expect(() => verify(secret, body, headers)).toThrow(WebhookVerificationError);
  });
});

test('A secret has 32 random bytes', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secret).not.toBe(other);
});
