import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as clientExports from '../../client/src/index.ts';
import {
  ApiError,
  createClient,
  NoReplyError,
  NotFoundError,
  TokenExpiredError,
  TooManyRequestsError,
  UnavailableError,
} from '../../client/src/index.ts';
import { getRetryDelay } from '../../client/src/requests/retry-delay.ts';
import {
  createCatalogErrorBody,
  type ErrorCode,
  errorCatalog,
} from '../../shared/contract/errors.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import fc from '../support/setup/fast-check.ts';
import { captureTimers } from './support/capture-timers.ts';
import {
  type FaultyServer,
  type ServerBehavior,
  startFaultyServer,
} from './support/faulty-server.ts';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer();
});
afterAll(() => server.close());

const sequence = { requestId: 'request-1', errorsPage: 'https://api.example.com/docs/errors' };
const success: ServerBehavior = { status: 201, body: { id: 'one' } };
const error = (code: ErrorCode, headers: Record<string, string> = {}): ServerBehavior => ({
  status: errorCatalog[code].status,
  headers,
  body: createCatalogErrorBody(code, sequence),
});
const clientWith = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ url: server.url, token: 'x.y.z', ...options });
const send = (client = clientWith(), options = {}) =>
  client.messages.send({ conversation_id: 'c', message: 'Hello' }, options);
const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

describe('A request that fails temporarily', () => {
  test('is retried until it succeeds, with one idempotency key for all attempts of a POST', async () => {
    server.respondWith(
      'cuts',
      error('unavailable', { 'Retry-After': '0' }),
      error('request_in_progress', { 'Retry-After': '0' }),
      'cuts in the middle',
      success,
    );
    expect(await send()).toEqual({ id: 'one' });
    expect(server.received).toHaveLength(5);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[\da-f]{32}$/);
    expect(new Set(server.received.map(({ body }) => body))).toEqual(
      new Set(['{"conversation_id":"c","message":"Hello"}']),
    );
  });

  test('is abandoned after the maximum number of retries', async () => {
    server.respondWith('cuts');
    const failure = await send(clientWith({ retries: 2 })).catch((cause) => cause);
    expect(failure).toBeInstanceOf(NoReplyError);
    expect(failure).toMatchObject({ reason: 'network', idempotencyKey: keys()[0] });
    expect(server.received).toHaveLength(3);

    server.respondWith(error('unavailable'));
    await expect(send(clientWith({ retries: 1 }))).rejects.toBeInstanceOf(UnavailableError);
    expect(server.received).toHaveLength(2);
    server.respondWith(error('unavailable'));
    await expect(send(clientWith(), { retries: 0 })).rejects.toBeInstanceOf(UnavailableError);
    expect(server.received).toHaveLength(1);
  });

  test('is retried after a timeout', async () => {
    server.respondWith('hangs', success);
    const timers = captureTimers();
    const sending = send(clientWith({ timeout: 20_000 }));
    await waitUntil(() => server.received.length === 1);
    timers.fire(20_000);
    expect(await sending).toEqual({ id: 'one' });
    expect(server.received).toHaveLength(2);
    server.respondWith('hangs');
    const failure = await send(clientWith({ timeout: 100, retries: 0 })).catch((cause) => cause);
    expect(failure).toMatchObject({ name: 'NoReplyError', reason: 'timeout' });
  });

  test('is retried when the seconds in Retry-After have passed', async () => {
    server.respondWith(error('too_many_requests', { 'Retry-After': '1' }), success);
    const until = Date.now() + 1000;
    await send();
    // Timers may fire a few milliseconds early.
    expect(server.received[1]?.at).toBeGreaterThanOrEqual(until - 5);
  });

  test('is not retried if the total timeout would expire first', async () => {
    server.respondWith(error('too_many_requests', { 'Retry-After': '3600' }));
    const failure = await send().catch((cause) => cause);
    expect(failure).toBeInstanceOf(TooManyRequestsError);
    expect(failure).toMatchObject({ retryAfter: 3600 });
    server.respondWith('hangs');
    const time = jest.spyOn(performance, 'now').mockReturnValue(0);
    const timers = captureTimers();
    const fetching = jest.spyOn(globalThis, 'fetch');
    const sending = send(clientWith({ totalTimeout: 20_000 }));
    await waitUntil(() => server.received.length === 1);
    time.mockReturnValue(20_000);
    timers.fire(20_000);
    await expect(sending).rejects.toBeInstanceOf(NoReplyError);
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  test('is retried after a random delay whose maximum doubles from 300 ms to 8 seconds', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, one) => {
          jest.spyOn(Math, 'random').mockReturnValue(one);
          const maxDelay = Math.min(8000, 300 * 2 ** attempt);
          expect(getRetryDelay(attempt)).toBeCloseTo(one * maxDelay, 6);
        },
      ),
    );
  });
});

test('Each POST call sends a new idempotency key unless the caller sets one; a PUT sends none', async () => {
  server.respondWith(success);
  const client = clientWith();
  await send(client);
  await send(client);
  await send(client, { idempotencyKey: 'outbox-7' });
  expect(new Set(keys()).size).toBe(3);
  expect(keys()[2]).toBe('outbox-7');
  await client.conversations.create({ contact_id: 'bob' });
  expect(keys()[3]).toBeDefined();
  await client.messages.update({ message_id: 'm', message: 'x' });
  expect(keys()[4]).toBeUndefined();
});

test.each([
  ...(['parameter_invalid', 'not_allowed', 'not_found', 'cursor_expired'] as const),
  ...(['not_uploaded', 'not_scanned', 'infected'] as const),
  ...(['last_owner', 'group_full', 'groups_exceeded'] as const),
])('A request that the API refuses is not retried: %s', async (code) => {
  server.respondWith(error(code));
  await expect(send()).rejects.toMatchObject({ code });
  expect(server.received).toHaveLength(1);
});

describe('A signal', () => {
  const reason = new Error('The user has left.');

  test('that is already aborted makes the call fail without a request', async () => {
    server.respondWith('hangs');
    await expect(send(clientWith(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.received).toEqual([]);
  });

  test.each([
    ['that waits for a reply', 'hangs'],
    ['that waits for a retry', error('unavailable', { 'Retry-After': '60' })],
  ] as const)('aborts a call %s', async (_, behavior) => {
    server.respondWith(behavior);
    const ending = new AbortController();
    const call = expect(send(clientWith(), { signal: ending.signal })).rejects.toBe(reason);
    await waitUntil(() => server.received.length === 1);
    setTimeout(() => ending.abort(reason), 100);
    await call;
    expect(server.received).toHaveLength(1);
  });
});

describe('A token', () => {
  test('is requested before each request, and once more if it has expired', async () => {
    const freshFlags: boolean[] = [];
    const token = async ({ fresh }: { fresh: boolean }) => {
      freshFlags.push(fresh);
      return `token-${freshFlags.length}`;
    };
    server.respondWith(error('token_expired'), success);
    await send(clientWith({ token }));
    expect(freshFlags).toEqual([false, true]);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(new Set(keys()).size).toBe(1);

    server.respondWith(error('token_expired'));
    await expect(send(clientWith({ token }))).rejects.toBeInstanceOf(TokenExpiredError);
    expect(server.received).toHaveLength(2);
  });

  test('that is a fixed string, or that the API rejects as invalid, is not renewed', async () => {
    server.respondWith(error('token_expired'));
    await expect(send()).rejects.toBeInstanceOf(TokenExpiredError);
    server.respondWith(error('token_invalid'));
    await expect(send(clientWith({ token: () => 'x' }))).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(1);
  });

  test('is renewed once for concurrent requests', async () => {
    let renewals = 0;
    let replies = 0;
    const client = clientWith({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const text = await response.text();
        replies += 1;
        return { status: response.status, headers: response.headers, text: async () => text };
      },
      token: async ({ fresh }) => {
        if (!fresh) return 'old';
        renewals += 1;
        await waitUntil(() => replies >= 3);
        // When `setImmediate` runs its callback, the client has handled the replies.
        await new Promise((done) => setImmediate(done));
        return 'new';
      },
    });
    server.respondWith(
      error('token_expired'),
      error('token_expired'),
      error('token_expired'),
      success,
    );
    await Promise.all([send(client), send(client), send(client)]);
    expect(renewals).toBe(1);
    expect(server.received).toHaveLength(6);
  });

  test('whose function rejects makes the call fail without a request', async () => {
    const failure = new Error('Signed out.');
    server.respondWith(success);
    await expect(send(clientWith({ token: () => Promise.reject(failure) }))).rejects.toBe(failure);
    expect(server.received).toEqual([]);
  });
});

describe('An error', () => {
  test('is an instance of its code’s class, with the reply’s fields', async () => {
    for (const [code, { status }] of Object.entries(errorCatalog)) {
      const body = { ...createCatalogErrorBody('not_found', sequence), code, param: 'message_id' };
      server.respondWith({ status, body });
      const failure = await send(clientWith({ retries: 0 })).catch((cause) => cause);
      expect(failure).toBeInstanceOf(ApiError);
      expect(failure).toMatchObject({
        code,
        status,
        message: body.message,
        param: 'message_id',
        requestId: 'request-1',
        documentationUrl: body.documentation_url,
        retryAfter: null,
      });
      const classes = Object.entries(clientExports).filter(
        ([name, one]) => /Error$/.test(name) && typeof one === 'function' && failure instanceof one,
      );
      expect(classes.map(([name]) => name).sort()).toEqual(['ApiError', failure.name].sort());
      expect(failure.name.toLowerCase()).toBe(
        `${code.replaceAll('_', '')}error`.replace(/errorerror$/, 'error'),
      );
    }
    expect(new NotFoundError('not_found', '', { ...noDetails })).not.toBeInstanceOf(
      UnavailableError,
    );
  });

  const noDetails = {
    status: 404,
    param: null,
    requestId: null,
    documentationUrl: null,
    retryAfter: null,
  };

  test('with an unknown code is a plain ApiError', async () => {
    server.respondWith({ status: 418, body: { code: 'toString', message: 'No coffee.' } });
    const failure = await send().catch((cause) => cause);
    expect(failure.constructor).toBe(ApiError);
    expect(failure).toMatchObject({ code: 'toString', status: 418, message: 'No coffee.' });
  });

  test('from a proxy causes a retry if the status is 502, but not if it is 403, 404 or 200', async () => {
    const headers = { 'Request-Id': 'edge-1' };
    server.respondWith({ status: 502, body: '<html>Bad gateway</html>' }, success);
    expect(await send()).toEqual({ id: 'one' });
    for (const [status, body] of [
      [403, '<html>Blocked</html>'],
      [403, '{"message": "Forbidden"}'],
      [404, 'null'],
      [200, '<html>Please sign in to the hotel</html>'],
    ] as const) {
      server.respondWith({ status, body, headers });
      await expect(send()).rejects.toMatchObject({
        code: 'unexpected_reply',
        status,
        requestId: 'edge-1',
      });
      expect(server.received).toHaveLength(1);
    }
  });
});
