import { describe, expect, test } from '@jest/globals';
import { maxGroups } from '../../shared/caller.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import {
  audience,
  authorize,
  type Claims,
  createDecision,
  createKeys,
  invalid,
  issuer,
  signToken,
} from '../support/people/use-authorizer.ts';

describe('The authorizer', () => {
  test('returns the caller’s profile and an Allow policy for the whole stage if the token is valid', async () => {
    const claims = {
      preferred_username: 'Ann',
      phone_number: '+49',
      picture: 'https://example.com/ann.png',
      groups: ['team', 'friends'],
    };
    expect(await authorize(`Bearer ${await signToken(claims)}`)).toEqual(
      createDecision('Allow', 'ann', {
        contact_id: 'ann',
        groups: '["team","friends"]',
        expires_at: '4000000000',
        username: 'Ann',
        phone_number: '+49',
        avatar_url: 'https://example.com/ann.png',
      }),
    );
  });

  test.each<[string, Claims, object]>([
    [
      'Cognito’s claim names',
      { 'cognito:username': 'Ann', 'cognito:groups': ['team'] },
      { username: 'Ann', groups: '["team"]' },
    ],
    [
      'username, which takes precedence over cognito:username',
      { username: 'A', 'cognito:username': 'B' },
      { username: 'A', groups: '[]' },
    ],
    ['a single group as a string', { groups: 'team' }, { groups: '["team"]' }],
    [
      'groups, and ignores groups with invalid ids',
      { groups: ['a b', 7, 'ok', 'x#y'] },
      { groups: '["ok"]' },
    ],
    [
      'profile claims, and ignores claims of the wrong type',
      { picture: 5, username: null },
      { groups: '[]' },
    ],
    [
      'profile claims, and ignores claims with control or invisible characters',
      {
        preferred_username: 'a\u202eb',
        username: '\u200b',
        'cognito:username': 'Ann',
        phone_number: '+49\n0',
        picture: 'https://example.com/\u0000',
      },
      { username: 'Ann', groups: '[]' },
    ],
  ])('parses %s', async (_, claims, context) => {
    expect(await authorize(`Bearer ${await signToken(claims)}`)).toEqual(
      createDecision('Allow', 'ann', { contact_id: 'ann', expires_at: '4000000000', ...context }),
    );
  });

  test.each([['bearer '], ['BEARER '], ['Bearer   ']])(
    'accepts the Bearer scheme in any letter case and with any number of spaces after it: “%s”',
    async (scheme) => {
      expect(await authorize(scheme + (await signToken()))).toMatchObject({ principalId: 'ann' });
    },
  );

  test('removes duplicate groups before it applies the group limit', async () => {
    const hundred = Array.from({ length: maxGroups }, (_, n) => `group-${n}`);
    expect(
      await authorize(`Bearer ${await signToken({ groups: [...hundred, ...hundred] })}`),
    ).toEqual(
      createDecision('Allow', 'ann', {
        contact_id: 'ann',
        expires_at: '4000000000',
        groups: JSON.stringify(hundred),
      }),
    );
  });

  test('returns at most one group more than the limit, so that the context does not exceed its size limit', async () => {
    const groups = Array.from({ length: 1000 }, (_, n) => `group-${n}`);
    expect(await authorize(`Bearer ${await signToken({ groups })}`)).toMatchObject({
      context: { groups: JSON.stringify(groups.slice(0, maxGroups + 1)) },
    });
  });

  test.each<[string, () => Promise<string> | string]>([
    ['a header without a token', () => 'Bearer '],
    ['another scheme', async () => `Basic ${await signToken()}`],
    ['another scheme before Bearer', async () => `Basic x, Bearer ${await signToken()}`],
    ['text that is not a token', () => 'Bearer x.y.z'],
    [
      'a token from another issuer',
      async () => `Bearer ${await signToken({ iss: 'https://evil.example' })}`,
    ],
    ['a token for another audience', async () => `Bearer ${await signToken({ aud: 'other' })}`],
    ['a token without an audience', async () => `Bearer ${await signToken({ aud: undefined })}`],
    [
      'a token that is not valid yet',
      async () => `Bearer ${await signToken({ nbf: 3_999_999_999 })}`,
    ],
    ['a token without an expiry', async () => `Bearer ${await signToken({ exp: undefined })}`],
    ['a token without a subject', async () => `Bearer ${await signToken({ sub: undefined })}`],
    ['a token with an invalid contact id', async () => `Bearer ${await signToken({ sub: 'a#b' })}`],
    [
      'a token whose key id the issuer does not publish',
      async () => `Bearer ${await signToken({}, { kid: 'no' })}`,
    ],
    [
      'a token with a truncated signature',
      async () => `Bearer ${(await signToken()).slice(0, -100)}`,
    ],
    [
      'a valid token in a non-canonical encoding',
      async () => `Bearer ${respell(await signToken())}`,
    ],
    ['a valid token with padding', async () => `Bearer ${await signToken()}==`],
    ['a token without a key id', async () => `Bearer ${await signToken({}, { kid: '' })}`],
    [
      'a token signed with another key',
      async () => `Bearer ${await signToken({}, { key: (await createKeys()).privateKey })}`,
    ],
    [
      'an unsigned token',
      async () =>
        `Bearer ${(await signToken()).replace(/^[^.]+/, Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')).replace(/[^.]+$/, '')}`,
    ],
    [
      'a token with modified claims',
      async () =>
        `Bearer ${(await signToken()).replace(/\.[^.]+\./, `.${Buffer.from(`{"sub":"bob","iss":"${issuer}","aud":"${audience}","exp":4000000000}`).toString('base64url')}.`)}`,
    ],
  ])('rejects %s', async (_, header) => {
    expect(await authorize(await header())).toEqual(invalid);
  });

  test('logs one line per token, without the token or its claims', async () => {
    const good = await signToken({
      preferred_username: 'Ann the Great',
      phone_number: '+4930123456',
    });
    await captureLogLines(() => authorize('Bearer of-the-cold-start'));
    const lines = await captureLogLines(async () => {
      await authorize(`Bearer ${good}`);
      await authorize(`Bearer ${await signToken({ exp: 1_000_000_000 })}`);
    });
    const line = (outcome: object) => ({
      level: 'INFO',
      operation: 'authorizer',
      ...outcome,
      cold_start: 0,
      conflicts: 0,
      fault: 0,
      timestamp: expect.any(String),
      milliseconds: expect.any(Number),
      _aws: expect.objectContaining({ Timestamp: expect.any(Number) }),
    });
    expect(lines).toEqual([
      line({ caller: '49915e0d7d4b' }),
      line({ code: 'token_expired', denied: 1 }),
    ]);
  });

  test('denies an expired token with the code token_expired', async () => {
    expect(await authorize(`Bearer ${await signToken({ exp: 1_000_000_000 })}`)).toEqual(
      createDecision('Deny', 'unknown', {
        code: 'token_expired',
        message: 'The token has expired. Get a new token and repeat the request.',
      }),
    );
  });
});

/** Replaces the token's last character with another that decodes to the same signature. */
function respell(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1] ?? '';
  return token.slice(0, -1) + last;
}
