/** Runs an issuer's key server and the authorizer for the importing test file. Stops the clock. */
import { once } from 'node:events';
import http, { type ClientRequest, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as v from 'valibot';
import { createVirtualClock } from '../handlers/virtual-clock.ts';

export const issuer = 'https://issuer.example.com';
export const audience = 'messaging';
const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:api/dev/POST/v1/messages';

const Authorizer = v.object({ handler: v.function() });
/** Claims that replace those of a valid token; `undefined` omits a claim. */
export type Claims = { [claim: string]: unknown };
type Keys = Awaited<ReturnType<typeof createKeys>>;

export const createKeys = () => generateKeyPair('RS256', { extractable: true });

export const healthy = {
  status: 200,
  body: undefined as string | undefined,
  replyDelay: Promise.resolve(),
  stops: undefined as 'before the reply' | 'during the reply' | undefined,
};
/** The key server's state; each test starts with a healthy server. */
export const keyServer = { ...healthy, requestCount: 0 };
const published = new Map<string, object>();

let keys: Keys;
let handler: (event: unknown) => Promise<unknown>;
let time: ReturnType<typeof createVirtualClock>;
let now = Date.now();
let server: Server;
/** Aborts the last request for keys, as `AbortSignal.timeout` would. */
let timeout: AbortController;
let getting: jest.SpiedFunction<typeof http.get>;

beforeAll(async () => {
  keys = await createKeys();
  await publishKey('one', keys);
  server = createServer(async (_, response) => {
    keyServer.requestCount += 1;
    if (keyServer.stops === 'before the reply') return timeout.abort();
    await keyServer.replyDelay;
    const body = keyServer.body ?? JSON.stringify({ keys: [...published.values()] });
    response.writeHead(keyServer.status).write(body.slice(0, 9));
    if (keyServer.stops !== 'during the reply') return response.end(body.slice(9));
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
  const authorizer = v.parse(Authorizer, await import('../../../functions/authorizer.ts'));
  handler = async (event) => authorizer.handler(event);
});

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
  keyServer.requestCount = 0;
});

afterEach(() => {
  now = time.now();
  Object.assign(keyServer, healthy);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

export const passTime = (milliseconds: number) => time.pass(milliseconds);

export const publishKey = async (kid: string, { publicKey }: Keys) =>
  published.set(kid, { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' });

export const revokeKey = (kid: string) => published.delete(kid);

/** Signs a token for Ann. The default key is published as “one”. */
export const signToken = (
  claims: Claims = {},
  { key = keys.privateKey, ...header }: { kid?: string; key?: CryptoKey | undefined } = {},
) =>
  new SignJWT({ sub: 'ann', iss: issuer, aud: audience, exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
    .sign(key);

export const authorize = (authorizationToken: string) =>
  handler({ type: 'TOKEN', authorizationToken, methodArn });

export const createDecision = (effect: string, principalId: string, context: object) => ({
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

/** The decision for an invalid token. */
export const invalid = createDecision('Deny', 'unknown', {
  code: 'token_invalid',
  message:
    "The token is invalid: for example, it is malformed, or its signature, issuer or audience is wrong. Get a token from this stage's identity provider.",
});
