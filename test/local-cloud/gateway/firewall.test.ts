import { beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { getStage } from '../../../lib/stages.ts';
import { Template } from '../../../lib/synthesis/template.ts';
import { createFirewall } from '../../../local-cloud/gateway/firewall.ts';
import type { GatewayRequest } from '../../../local-cloud/gateway/request/gateway-request.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { ErrorReply } from '../../../shared/contract/errors.ts';
import { fixedHeaders } from '../../../shared/contract/headers.ts';
import { getTemplate } from '../../support/template/get-template.ts';
import { sampleRequest } from './small-api.ts';

const limits = { perToken: 10, perPerson: 20, perAddress: 25 };
const guardOf = (allowedOrigins: readonly string[], now: () => number) => {
  const stage = {
    ...getStage('dev'),
    allowedOrigins,
    firewall: { requestsPerMinute: limits },
  };
  const template = v.parse(Template, getTemplate('dev', stage).toJSON());
  const parameters = Object.keys(template.Parameters).map((name) => [name, 'any']);
  const stack = readStack('messaging-dev', template, Object.fromEntries(parameters));
  return createFirewall(stack, { now });
};

describe("A stage's firewall", () => {
  let now = 0;
  const open = guardOf(['*'], () => now);
  beforeEach(() => {
    now += 3_600_000;
  });

  const request = (authorization: string | undefined, sourceIp = '192.0.2.1', more = {}) => ({
    ...sampleRequest,
    sourceIp,
    headers: authorization === undefined ? [] : [['authorization', authorization] as const],
    ...more,
  });
  /** Returns the number of admitted requests. */
  const through = (count: number, next: (n: number) => GatewayRequest) =>
    Array.from({ length: count }, (_, n) => open(next(n))).filter((reply) => !reply).length;

  test('limits requests per token, even from different addresses', () => {
    expect(through(12, (n) => request('Bearer x', `192.0.2.${n}`))).toBe(10);
    expect(through(12, () => request('Bearer y', '192.0.2.99'))).toBe(10);
  });

  test('counts different spellings of the Authorization header as one token', () => {
    const spellings = ['Bearer x', 'bearer x', 'Bearer  x', 'BEARER \t x'];
    expect(through(12, (n) => request(spellings[n % 4], `192.0.2.${n}`))).toBe(10);
  });

  test('limits requests per address, with different tokens or without a token', () => {
    expect(through(30, (n) => request(`Bearer made-up-${n}`))).toBe(25);
    now += 3_600_000;
    expect(through(30, () => request(undefined))).toBe(25);
  });

  test('ignores addresses in X-Forwarded-For', () => {
    const forwarded = (n: number) => ({
      headers: [['X-Forwarded-For', `198.51.100.${n}`] as const],
    });
    expect(through(30, (n) => request(undefined, '192.0.2.1', forwarded(n)))).toBe(25);
  });

  test('admits a client again after the wait in Retry-After, but refuses a client that keeps sending', () => {
    expect(through(25, () => request(undefined))).toBe(25);
    for (let seconds = 1; seconds <= 120; seconds++) {
      now += 1000;
      open(request(undefined));
    }
    expect(open(request(undefined))?.status).toBe(429);
    const { headers } = open(request(undefined)) ?? { headers: [] };
    now += Number(Object.fromEntries(headers)['Retry-After']) * 1000;
    expect(open(request(undefined))).toBeUndefined();
  });

  test.each([
    ['any origin', ['*'], '*'],
    ['one origin', ['https://app.example.com'], 'https://app.example.com'],
    ['several origins', ['https://app.example.com', 'https://admin.example.com'], '*'],
  ])(
    'refuses requests in the API’s error format, with CORS headers for %s',
    (_, origins, allowed) => {
      const guard = guardOf(origins, () => now);
      const replies = Array.from({ length: 11 }, () => guard(request('Bearer x')));
      const { status, headers, body } = replies.at(-1) ?? {};
      expect(status).toBe(429);
      expect(Object.fromEntries(headers ?? [])).toEqual({
        'Content-Type': 'application/json',
        ...fixedHeaders,
        'Access-Control-Allow-Origin': allowed,
        'Request-Id': 'firewall',
        'Retry-After': '60',
      });
      expect(v.parse(ErrorReply, JSON.parse(String(body)))).toEqual({
        type: 'invalid_request',
        code: 'too_many_requests',
        message:
          'The request exceeded a rate limit. Wait `Retry-After` seconds, then retry, and send requests more slowly.',
        param: null,
        request_id: 'firewall',
        documentation_url: expect.stringMatching(
          /^https:\/\/\w{10}\.execute-api\.us-east-1\.amazonaws\.com\/dev\/docs\/errors#too_many_requests$/,
        ),
      });
    },
  );
});
