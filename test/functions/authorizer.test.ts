import { once } from 'node:events';
import http, { type ClientRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as v from 'valibot';
import { maxGroups } from '../../shared/caller.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';

const issuer = 'https://issuer.example.com';
const audience = 'messaging';
const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:api/dev/POST/v1/messages';

const Authorizer = v.object({ handler: v.function() });
/** Claims that replace those of a valid token; `undefined` omits a claim. */
type Claims = { [claim: string]: unknown };
const createKeys = () => generateKeyPair('RS256', { extractable: true });

describe('The authorizer', () => {
  let server: Server;
  let keys: Awaited<ReturnType<typeof createKeys>>;
  let authorize: (authorizationToken: string) => Promise<unknown>;
  let time: ReturnType<typeof createVirtualClock>;
  let timeout: AbortController;
  let getting: jest.SpiedFunction<typeof http.get>;
  const published = new Map<string, object>();
  const healthy = {
    status: 200,
    body: undefined as string | undefined,
    replyDelay: Promise.resolve(),
    stops: undefined as 'before the reply' | 'during the reply' | undefined,
  };
  const issuerState = { ...healthy, requestCount: 0 };

  const publish = async (kid: string, { publicKey }: typeof keys) =>
    published.set(kid, { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' });

  beforeAll(async () => {
    keys = await createKeys();
    await publish('one', keys);
    server = createServer(async (_, response) => {
      issuerState.requestCount += 1;
      if (issuerState.stops === 'before the reply') return timeout.abort();
      await issuerState.replyDelay;
      const body = issuerState.body ?? JSON.stringify({ keys: [...published.values()] });
      response.writeHead(issuerState.status).write(body.slice(0, 9));
      if (issuerState.stops !== 'during the reply') return response.end(body.slice(9));
      await once(getting.mock.results.at(-1)?.value as ClientRequest, 'response');
      timeout.abort();
    });
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
  let now = Date.now();
  beforeEach(() => {
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      timeout = new AbortController();
      return timeout.signal;
    });
    getting = jest.spyOn(http, 'get');
    time = createVirtualClock();
    // Expires the keys that earlier tests cached, and allows a new request for keys.
    now += 3 * 3_600_000;
    time.pass(now - time.now());
    issuerState.requestCount = 0;
  });
  afterEach(() => {
    now = time.now();
    Object.assign(issuerState, healthy);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
  });

  const token = (
    claims: Claims = {},
    { key = keys.privateKey, ...header }: { kid?: string; key?: typeof keys.privateKey } = {},
  ) =>
    new SignJWT({ sub: 'ann', iss: issuer, aud: audience, exp: 4_000_000_000, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
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
      "The token is malformed, has a wrong signature, or is from another issuer or for another audience. Get a token from this stage's identity provider.",
  });

  test.each([
    ['fails', { status: 500 }, /status 500[\s\S]* at /i],
    ['replies with text', { body: '<html>' }, /Failed to fetch/],
    ['replies with invalid keys', { body: '{"keys":[{}]}' }, /Failed to fetch/],
    ['stops mid-reply', { stops: 'during the reply' }, /abort|timeout/i],
    ['does not reply', { stops: 'before the reply' }, /aborted/],
  ])(
    'fails if the issuer %s, logs the cause, and recovers once the keys are available',
    async (_, fault, cause) => {
      Object.assign(issuerState, fault);
      const lines = await captureLogLines(async () => {
        await expect(authorize(`Bearer ${await token()}`)).rejects.toThrow();
      });
      expect(lines).toEqual([
        expect.objectContaining({
          level: 'ERROR',
          operation: 'authorizer',
          fault: 1,
          cause: expect.stringMatching(cause),
        }),
      ]);
      Object.assign(issuerState, healthy);
      time.pass(1000);
      expect(await authorize(`Bearer ${await token()}`)).toMatchObject({ principalId: 'ann' });
    },
  );

  test('for a valid token returns the caller’s profile and an Allow policy for the whole stage', async () => {
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
      'groups, without those with invalid ids',
      { groups: ['a b', 7, 'ok', 'x#y'] },
      { groups: '["ok"]' },
    ],
    [
      'profile claims, without those of the wrong type',
      { picture: 5, username: null },
      { groups: '[]' },
    ],
    [
      'profile claims, without those with control or invisible characters',
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
    expect(await authorize(`Bearer ${await token(claims)}`)).toEqual(
      decision('Allow', 'ann', { contact_id: 'ann', expires_at: '4000000000', ...context }),
    );
  });

  test.each([['bearer '], ['BEARER '], ['Bearer   ']])(
    'accepts the Bearer scheme in any letter case and with any number of spaces after it: “%s”',
    async (scheme) => {
      expect(await authorize(scheme + (await token()))).toMatchObject({ principalId: 'ann' });
    },
  );

  test('removes duplicate groups before it applies the group limit', async () => {
    const hundred = Array.from({ length: maxGroups }, (_, n) => `group-${n}`);
    expect(await authorize(`Bearer ${await token({ groups: [...hundred, ...hundred] })}`)).toEqual(
      decision('Allow', 'ann', {
        contact_id: 'ann',
        expires_at: '4000000000',
        groups: JSON.stringify(hundred),
      }),
    );
  });

  test('returns at most one group more than the limit, so that the context does not exceed its size limit', async () => {
    const groups = Array.from({ length: 1000 }, (_, n) => `group-${n}`);
    expect(await authorize(`Bearer ${await token({ groups })}`)).toMatchObject({
      context: { groups: JSON.stringify(groups.slice(0, maxGroups + 1)) },
    });
  });

  test.each<[string, () => Promise<string> | string]>([
    ['a header without a token', () => 'Bearer '],
    ['another scheme', async () => `Basic ${await token()}`],
    ['another scheme before Bearer', async () => `Basic x, Bearer ${await token()}`],
    ['text that is not a token', () => 'Bearer x.y.z'],
    [
      'a token from another issuer',
      async () => `Bearer ${await token({ iss: 'https://evil.example' })}`,
    ],
    ['a token for another audience', async () => `Bearer ${await token({ aud: 'other' })}`],
    ['a token without an audience', async () => `Bearer ${await token({ aud: undefined })}`],
    ['a token that is not valid yet', async () => `Bearer ${await token({ nbf: 3_999_999_999 })}`],
    ['a token without an expiry', async () => `Bearer ${await token({ exp: undefined })}`],
    ['a token without a subject', async () => `Bearer ${await token({ sub: undefined })}`],
    ['a token with an invalid contact id', async () => `Bearer ${await token({ sub: 'a#b' })}`],
    [
      'a token whose key id the issuer does not publish',
      async () => `Bearer ${await token({}, { kid: 'no' })}`,
    ],
    ['a token with a truncated signature', async () => `Bearer ${(await token()).slice(0, -100)}`],
    ['a valid token in a non-canonical encoding', async () => `Bearer ${respell(await token())}`],
    ['a valid token with padding', async () => `Bearer ${await token()}==`],
    ['a token without a key id', async () => `Bearer ${await token({}, { kid: '' })}`],
    [
      'a token signed with another key',
      async () => `Bearer ${await token({}, { key: (await createKeys()).privateKey })}`,
    ],
    [
      'an unsigned token',
      async () =>
        `Bearer ${(await token()).replace(/^[^.]+/, Buffer.from('{"alg":"none","kid":"one"}').toString('base64url')).replace(/[^.]+$/, '')}`,
    ],
    [
      'a token with modified claims',
      async () =>
        `Bearer ${(await token()).replace(/\.[^.]+\./, `.${Buffer.from(`{"sub":"bob","iss":"${issuer}","aud":"${audience}","exp":4000000000}`).toString('base64url')}.`)}`,
    ],
  ])('rejects %s', async (_, header) => {
    expect(await authorize(await header())).toEqual(invalid);
  });

  test('logs one line per token, without the token or its claims', async () => {
    const good = await token({ preferred_username: 'Ann the Great', phone_number: '+4930123456' });
    await captureLogLines(() => authorize('Bearer of-the-cold-start'));
    const lines = await captureLogLines(async () => {
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
    expect(lines).toEqual([
      line({ caller: '49915e0d7d4b' }),
      line({ code: 'token_expired', denied: 1 }),
    ]);
  });

  test('denies an expired token with the code token_expired', async () => {
    expect(await authorize(`Bearer ${await token({ exp: 1_000_000_000 })}`)).toEqual(
      decision('Deny', 'unknown', {
        code: 'token_expired',
        message: 'The token has expired. Get a new token and repeat the request.',
      }),
    );
  });

  describe('with its cache of the issuer’s keys', () => {
    const noDecision = {};
    const allowed = expect.objectContaining({ principalId: 'ann' });
    const authorizeWithKey = async (kid: string, key = keys.privateKey) =>
      authorize(`Bearer ${await token({}, { kid, key })}`);

    test('accepts a newly published key one second after the last request for keys, even after tokens with unknown keys', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      time.pass(1000);
      expect(await authorizeWithKey('made-up')).toEqual(invalid);
      time.pass(1000);
      const next = await createKeys();
      await publish('two', next);
      expect(await authorizeWithKey('two', next.privateKey)).toEqual(allowed);
      expect(issuerState.requestCount).toBe(3);
    });

    test('returns no decision for an unknown key within one second of the last request for keys, and logs unknown_key', async () => {
      expect(await authorizeWithKey('made-up')).toEqual(invalid);
      const next = await createKeys();
      await publish('three', next);
      time.pass(999);
      const lines = await captureLogLines(async () => {
        expect(await authorizeWithKey('three', next.privateKey)).toEqual(noDecision);
      });
      expect(lines).toEqual([
        expect.objectContaining({ level: 'INFO', code: 'unavailable', unknown_key: 1, fault: 0 }),
      ]);
      time.pass(1);
      expect(await authorizeWithKey('three', next.privateKey)).toEqual(allowed);
    });

    test('requests the issuer’s keys at most once a second despite many unknown key ids, and still accepts valid tokens', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      for (let n = 0; n < 100; n++) {
        time.pass(100);
        expect([invalid, noDecision]).toContainEqual(await authorizeWithKey(`made-up-${n}`));
        expect(await authorizeWithKey('one')).toEqual(allowed);
      }
      expect(issuerState.requestCount).toBe(1 + 10);
    });

    test('does not request the keys for a token with a wrong issuer, a wrong audience or no subject', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      time.pass(1000);
      for (const claims of [
        { iss: 'https://evil.example' },
        { aud: 'other' },
        { sub: undefined },
      ]) {
        expect(await authorize(`Bearer ${await token(claims, { kid: 'made-up' })}`)).toEqual(
          invalid,
        );
      }
      expect(issuerState.requestCount).toBe(1);
    });

    test('makes one request to the issuer for all concurrent tokens', async () => {
      const decisions = await Promise.all(
        Array.from({ length: 20 }, () => authorizeWithKey('one')),
      );
      expect(decisions).toEqual(decisions.map(() => allowed));
      expect(issuerState.requestCount).toBe(1);
    });

    test('shares a pending request with later tokens while the issuer is slow', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      issuerState.replyDelay = promise;
      const header = `Bearer ${await token()}`;
      const first = authorize(header);
      time.pass(1500);
      const second = authorize(header);
      resolve();
      expect(await Promise.all([first, second])).toEqual([allowed, allowed]);
      expect(issuerState.requestCount).toBe(1);
    });

    test('returns no decision for an unknown key if the pending request for keys started before the token arrived', async () => {
      const [early, late] = [await token(), await token({}, { kid: 'made-up' })];
      const pendingDecisions = [authorize(`Bearer ${early}`)];
      time.pass(1);
      pendingDecisions.push(authorize(`Bearer ${late}`));
      expect(await Promise.all(pendingDecisions)).toEqual([allowed, noDecision]);
      expect(issuerState.requestCount).toBe(1);
    });

    test('rejects a revoked key after five minutes', async () => {
      const old = await createKeys();
      await publish('old', old);
      expect(await authorizeWithKey('old', old.privateKey)).toEqual(allowed);
      published.delete('old');
      time.pass(5 * 60_000 - 1);
      expect(await authorizeWithKey('old', old.privateKey)).toEqual(allowed);
      time.pass(1);
      expect(await authorizeWithKey('old', old.privateKey)).toEqual(invalid);
      expect(issuerState.requestCount).toBe(2);
    });

    test('accepts only the new key after five minutes if the issuer reuses a key id', async () => {
      const first = await createKeys();
      await publish('same', first);
      expect(await authorizeWithKey('same', first.privateKey)).toEqual(allowed);
      const second = await createKeys();
      await publish('same', second);
      time.pass(5 * 60_000);
      expect(await authorizeWithKey('same', second.privateKey)).toEqual(allowed);
      expect(await authorizeWithKey('same', first.privateKey)).toEqual(invalid);
    });

    test('uses its cached keys for an hour while the issuer is down, and retries every 30 seconds', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      issuerState.status = 500;
      time.pass(5 * 60_000);
      for (let n = 0; n < 60; n++) {
        expect(await authorizeWithKey('one')).toEqual(allowed);
        time.pass(10_000);
      }
      expect(issuerState.requestCount).toBe(1 + 20);
      time.pass(45 * 60_000 - 1);
      expect(await authorizeWithKey('one')).toEqual(allowed);
      time.pass(1000);
      await expect(authorizeWithKey('one')).rejects.toThrow('status 500');
      issuerState.status = 200;
      time.pass(30_000);
      expect(await authorizeWithKey('one')).toEqual(allowed);
    });

    test('fails for an unknown key while the issuer is down, and retries at most once a second', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      issuerState.status = 500;
      time.pass(1000);
      await expect(authorizeWithKey('made-up')).rejects.toThrow('status 500');
      await expect(authorizeWithKey('made-up')).rejects.toThrow('status 500');
      expect(issuerState.requestCount).toBe(2);
    });

    test('accepts a newly published key after the clock is set back by an hour', async () => {
      expect(await authorizeWithKey('one')).toEqual(allowed);
      time.pass(-3_600_000);
      const next = await createKeys();
      await publish('four', next);
      expect(await authorizeWithKey('four', next.privateKey)).toEqual(allowed);
    });
  });
});

/** Returns the token with a different last character that decodes to the same signature. */
function respell(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1] ?? '';
  return token.slice(0, -1) + last;
}
