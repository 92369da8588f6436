import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as v from 'valibot';
import { mostGroups } from '../../shared/caller.ts';
import { linesOf } from '../support/log-lines.ts';

const issuer = 'https://issuer.example.com';
const audience = 'messaging';
const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:api/dev/POST/v1/messages';

const Authorizer = v.object({ handler: v.function() });
/** Claims to add to a good token's, or to leave out. */
type Claims = { [claim: string]: unknown };
const keysOf = () => generateKeyPair('RS256', { extractable: true });

describe('The authorizer', () => {
  let server: Server;
  let keys: Awaited<ReturnType<typeof keysOf>>;
  let authorize: (authorizationToken: string) => Promise<unknown>;
  let keySetStatus = 200;

  beforeAll(async () => {
    keys = await keysOf();
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
    server = createServer((_, response) =>
      response.writeHead(keySetStatus).end(JSON.stringify({ keys: [jwk] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, {
      TOKEN_ISSUER: issuer,
      TOKEN_AUDIENCE: audience,
      TOKEN_KEYS_URL: `http://127.0.0.1:${port}/keys`,
    });
    const { handler } = v.parse(Authorizer, await import('../../functions/authorizer.ts'));
    authorize = async (authorizationToken) =>
      handler({ type: 'TOKEN', authorizationToken, methodArn });
  });
  afterAll(async () => {
    server.close();
  });

  const token = (claims: Claims = {}, { kid = 'one', key = keys.privateKey } = {}) =>
    new SignJWT({ sub: 'ann', iss: issuer, aud: audience, exp: 4_000_000_000, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(key);

  const decision = (effect: string, principalId: string, context: object) => ({
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: effect,
          Resource: 'arn:aws:execute-api:eu-central-1:123456789012:api/dev/*',
        },
      ],
    },
    context,
  });

  const invalid = decision('Deny', 'unknown', {
    code: 'token_invalid',
    message:
      'The token is malformed, wrongly signed, or made by or for somebody else. Get a token from the identity provider of this stage.',
  });

  test('with the issuer’s keys out of reach fails and says why in its line, and works once they are back', async () => {
    keySetStatus = 500;
    const lines = await linesOf(async () => {
      await expect(authorize(`Bearer ${await token()}`)).rejects.toThrow('status 500');
    });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        operation: 'authorizer',
        fault: 1,
        cause: expect.stringMatching(/status 500[\s\S]* at /i),
      }),
    ]);
    keySetStatus = 200;
    expect(await authorize(`Bearer ${await token()}`)).toMatchObject({ principalId: 'ann' });
  });

  test('lets a good token into the whole stage, and says who calls', async () => {
    const claims = {
      preferred_username: 'Ann',
      phone_number: '+49',
      picture: 'https://example.com/ann.png',
      groups: ['team', 'friends'],
    };
    expect(await authorize(`Bearer ${await token(claims)}`)).toEqual(
      decision('Allow', 'ann', {
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
      'Cognito’s names',
      { 'cognito:username': 'Ann', 'cognito:groups': ['team'] },
      { username: 'Ann', groups: '["team"]' },
    ],
    [
      'a plain username before Cognito’s',
      { username: 'A', 'cognito:username': 'B' },
      { username: 'A', groups: '[]' },
    ],
    ['one group as text', { groups: 'team' }, { groups: '["team"]' }],
    ['groups that cannot be ours', { groups: ['a b', 7, 'ok', 'x#y'] }, { groups: '["ok"]' }],
    ['a profile of other types', { picture: 5, username: null }, { groups: '[]' }],
  ])('understands %s', async (_, claims, context) => {
    expect(await authorize(`Bearer ${await token(claims)}`)).toEqual(
      decision('Allow', 'ann', { contact_id: 'ann', expires_at: '4000000000', ...context }),
    );
  });

  test('counts each group once', async () => {
    const hundred = Array.from({ length: mostGroups }, (_, n) => `group-${n}`);
    expect(await authorize(`Bearer ${await token({ groups: [...hundred, ...hundred] })}`)).toEqual(
      decision('Allow', 'ann', {
        contact_id: 'ann',
        expires_at: '4000000000',
        groups: JSON.stringify(hundred),
      }),
    );
  });

  test('tells of more groups than a token may name one too many, and no more: what it tells has to fit', async () => {
    const groups = Array.from({ length: 1000 }, (_, n) => `group-${n}`);
    expect(await authorize(`Bearer ${await token({ groups })}`)).toMatchObject({
      context: { groups: JSON.stringify(groups.slice(0, mostGroups + 1)) },
    });
  });

  test.each<[string, () => Promise<string> | string]>([
    ['no token', () => 'Bearer '],
    ['another scheme', async () => `Basic ${await token()}`],
    ['text that is no token', () => 'Bearer x.y.z'],
    [
      'a token of another issuer',
      async () => `Bearer ${await token({ iss: 'https://evil.example' })}`,
    ],
    ['a token for another audience', async () => `Bearer ${await token({ aud: 'other' })}`],
    ['a token without an audience', async () => `Bearer ${await token({ aud: undefined })}`],
    ['a token not yet good', async () => `Bearer ${await token({ nbf: 3_999_999_999 })}`],
    ['a token that never ends', async () => `Bearer ${await token({ exp: undefined })}`],
    ['a token of nobody', async () => `Bearer ${await token({ sub: undefined })}`],
    ['a token of an impossible contact', async () => `Bearer ${await token({ sub: 'a#b' })}`],
    ['a token signed with an unknown key', async () => `Bearer ${await token({}, { kid: 'two' })}`],
    [
      'a token signed by somebody else',
      async () => `Bearer ${await token({}, { key: (await keysOf()).privateKey })}`,
    ],
    [
      'an unsigned token',
      async () =>
        `Bearer ${(await token()).replace(/^[^.]+/, Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')).replace(/[^.]+$/, '')}`,
    ],
    [
      'a token whose claims were changed',
      async () =>
        `Bearer ${(await token()).replace(/\.[^.]+\./, `.${Buffer.from(`{"sub":"bob","iss":"${issuer}","aud":"${audience}","exp":4000000000}`).toString('base64url')}.`)}`,
    ],
  ])('turns away %s', async (_, header) => {
    expect(await authorize(await header())).toEqual(invalid);
  });

  test('leaves one line of each token that it checked, and nothing of the token', async () => {
    const good = await token({ preferred_username: 'Ann the Great', phone_number: '+4930123456' });
    const lines = await linesOf(async () => {
      await authorize(`Bearer ${good}`);
      await authorize(`Bearer ${await token({ exp: 1_000_000_000 })}`);
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
    expect(lines).toEqual([line({ caller: '49915e0d7d4b' }), line({ code: 'token_expired' })]);
  });

  test('tells an expired token from a bad one', async () => {
    expect(await authorize(`Bearer ${await token({ exp: 1_000_000_000 })}`)).toEqual(
      decision('Deny', 'unknown', {
        code: 'token_expired',
        message:
          'The token was good, but its time is over. Get a fresh token and repeat the request.',
      }),
    );
  });
});
