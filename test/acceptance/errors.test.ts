import { describe, expect, test } from '@jest/globals';
import { fixedHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations, sendMessage } from '../../shared/contract/operations.ts';
import { allowedOrigin, bearer, fetchPath, getError, person, send } from './support/api.ts';

const ann = person('ANN');
const rows: readonly Operation[] = operations;

/** Excludes Service-Version, because a deployed stage may run another version. */
const stableHeaders = Object.entries(fixedHeaders).filter(([name]) => name !== 'Service-Version');

const tokens = (name: string) => (process.env[name] ?? '').split(' ').filter(Boolean);
const tampered = ann.token.replace(/.{5}$/, (end) => (end === 'AAAAA' ? 'BBBBB' : 'AAAAA'));

const authorizations: [string, string | undefined, string][] = [
  ['no Authorization header', undefined, 'token_missing'],
  ['an empty Authorization header', '', 'token_missing'],
  ['a header without a token', 'Bearer', 'token_invalid'],
  ['a different scheme', 'Basic YW5uOmFubg==', 'token_invalid'],
  ['a token that is not a JWT', 'Bearer hello', 'token_invalid'],
  ['a token with a broken signature', `Bearer ${tampered}`, 'token_invalid'],
  ...tokens('EXPIRED').map((token): [string, string, string] => [
    'an expired token',
    `Bearer ${token}`,
    'token_expired',
  ]),
  ...tokens('REFUSED').map((token, n): [string, string, string] => [
    `a signed token with invalid claims (${n + 1})`,
    `Bearer ${token}`,
    'token_invalid',
  ]),
];

describe('Every operation', () => {
  test.each(rows.flatMap((row) => authorizations.map((one) => [row.id, ...one, row] as const)))(
    'rejects a request without a valid token: %s with %s',
    async (_, __, Authorization, code, row) => {
      const address = row.path.replace(/{\w+}/g, '0'.repeat(26));
      const headers = Authorization === undefined ? {} : { Authorization };
      const response = await fetchPath(address, { method: row.method, headers });
      expect(await getError(row, response)).toEqual({ code, param: null });
    },
  );
});

describe('An unknown path', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/unknown'],
    ['GET', '/v2/messages'],
    ['POST', '/v1/messages/x/y/z'],
    ['DELETE', '/v1/messages'],
    ['PATCH', '/v1/conversations'],
    ['GET', '/favicon.ico'],
  ])('%s %s returns 404, with and without a token', async (method, path) => {
    for (const headers of [{}, bearer(ann.token)]) {
      const response = await fetchPath(path, { method, headers });
      expect(await getError(undefined, response)).toEqual({ code: 'not_found', param: null });
    }
  });

  test.each(['application/json', 'application/x-www-form-urlencoded'])(
    'returns 404 for a request with a body of type %s',
    async (type) => {
      const headers = { ...bearer(ann.token), 'Content-Type': type };
      const response = await fetchPath('/v1/unknown', { method: 'POST', headers, body: '{"a":1}' });
      expect(await getError(undefined, response)).toEqual({ code: 'not_found', param: null });
    },
  );
});

describe('A body', () => {
  test.each([
    [
      'of 300 KB',
      JSON.stringify({ message: 'x'.repeat(300_000) }),
      'application/json',
      'body_too_large',
    ],
    ['of 11 MB', 'x'.repeat(11_000_000), 'application/json', 'body_too_large'],
    ['that is truncated', '{"message":', 'application/json', 'body_malformed'],
    ['of an unsupported type', '<message/>', 'application/xml', 'content_type_unsupported'],
    ['that is empty', '', 'application/json', 'parameter_missing'],
  ])('%s is rejected with the documented error', async (_, body, type, code) => {
    const response = await send(ann, sendMessage, { body, headers: { 'Content-Type': type } });
    expect(await getError(sendMessage, response)).toMatchObject({ code });
  });
});

describe('A web page of an allowed origin', () => {
  test.each(rows.map(({ path, method }) => [method, path] as const))(
    'can send a preflight request: %s %s',
    async (method, path) => {
      const response = await fetchPath(path.replace(/{\w+}/g, 'x'), {
        method: 'OPTIONS',
        headers: {
          Origin: allowedOrigin() === '*' ? 'https://app.example.com' : allowedOrigin(),
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization, content-type',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(allowedOrigin());
      expect(response.headers.get('Request-Id')).toMatch(/^[\w-]+$/);
      expect(response.headers.get('Service-Version')).toMatch(/^\d+\.\d+\.\d+/);
      for (const [name, value] of stableHeaders) expect(response.headers.get(name)).toBe(value);
      expect(response.headers.get('Access-Control-Allow-Methods')).toContain(method);
      expect(response.headers.get('Access-Control-Allow-Headers')).toMatch(
        /Authorization.*Content-Type/,
      );
    },
  );

  test('gets content_type_unsupported for a preflight request with a text body', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const response = await fetchPath('/v1/messages', { method: 'OPTIONS', headers, body: 'x' });
    expect(await getError(undefined, response)).toMatchObject({ code: 'content_type_unsupported' });
  });
});
