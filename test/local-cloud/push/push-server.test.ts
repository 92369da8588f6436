import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { DeliveryFault } from '../../../local-cloud/push/event-hub.ts';
import { type PushServer, startPushServer } from '../../../local-cloud/push/push-server.ts';
import type { OnFrame } from '../../../local-cloud/push/serve-connection.ts';
import type { Caller } from '../../../local-cloud/stack/caller.ts';
import { connectListener, type Listener } from '../../support/processes/push-listener.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';

const arn = 'arn:aws:appsync:us-east-1:000000000000:apis/abc';
const api = {
  id: 'abc',
  arn,
  authorizer: 'authorizer',
  tokenForm: /^(?!.*malformed)/,
  namespaces: new Set(['inbox']),
};

const callerOf = (functionId: string, isAllowed: boolean): [string, Caller] => [
  functionId.toUpperCase(),
  {
    functionId,
    session: `arn:aws:sts::000000000000:assumed-role/${functionId}`,
    decide: (action, resource) =>
      isAllowed && action === 'appsync:EventPublish' && resource === `${arn}/channelNamespace/inbox`
        ? 'allow'
        : 'no policy allows it',
  },
];
const callers = new Map([callerOf('worker', true), callerOf('other', false)]);

describe('The push server', () => {
  const authorizerEvents: unknown[] = [];
  let server: PushServer;
  let fault: DeliveryFault | undefined;
  let authorizerDelay: Promise<void> | undefined;
  let overrideFrame: OnFrame = () => undefined;
  let now = Date.now;
  const listeners: Listener[] = [];

  beforeAll(async () => {
    server = await startPushServer({
      createApi: api,
      callers,
      // Accepts connections with the token `good`, and their subscriptions to channels under
      // `/inbox/ann`. Fails for the token `broken`.
      invoke: async (_, event) => {
        authorizerEvents.push(event);
        await authorizerDelay;
        const text = JSON.stringify(event);
        if (text.includes('broken')) {
          return { ok: false, failure: { errorType: 'Error', errorMessage: 'broken' } };
        }
        const isAuthorized =
          text.includes('Token good') &&
          (text.includes('EVENT_CONNECT') || text.includes('/inbox/ann'));
        return { ok: true, reply: JSON.stringify({ isAuthorized, ttlOverride: 0 }) };
      },
      onDelivery: () => fault,
      onFrame: (frame) => overrideFrame(frame),
      now: () => now(),
      keepAliveMilliseconds: 50,
    });
  });
  afterEach(() => {
    fault = undefined;
    authorizerDelay = undefined;
    overrideFrame = () => undefined;
    now = Date.now;
    for (const one of listeners.splice(0)) one.close();
  });
  afterAll(() => server.stop());

  const connect = async (token = 'good') => {
    const { LIVE_URL: url = '' } = server.variables;
    const one = await connectListener({ url, host: server.host }, token);
    listeners.push(one);
    one.send({ type: 'connection_init' });
    return one;
  };
  const listening = async (channel = '/inbox/ann/1') => {
    const one = await connect();
    await one.waitForFrame('connection_ack');
    expect(await one.subscribe('a', channel)).toEqual({ type: 'subscribe_success', id: 'a' });
    return one;
  };

  /** Waits for earlier deliveries: frames arrive in order, so the reply to `subscribe` is last. */
  const waitForDeliveries = (one: Listener) => one.subscribe('last', '/inbox/ann/last');

  const signed = async (body: string, accessKeyId = 'WORKER', changes: object = {}) => {
    const options = { service: 'appsync', region: 'us-east-1', secretAccessKey: 'local' };
    const { service, region, secretAccessKey } = { ...options, ...changes };
    const credentials = { accessKeyId, secretAccessKey };
    const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
    const headers = { host: server.host, 'content-type': 'application/json' };
    const request = { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', path: '/event' };
    return (await signer.sign({ ...request, headers, body })).headers;
  };
  const post = async (body: string, headers: Record<string, string>) => {
    const { PUSH_URL: url = '' } = server.variables;
    const { host, ...others } = headers;
    const response = await fetch(url, { method: 'POST', headers: others, body });
    return { status: response.status, body: await response.json() };
  };
  const publish = async (events: unknown[], channel = '/inbox/ann/1', accessKey = 'WORKER') => {
    const body = JSON.stringify({ channel, events: events.map((one) => JSON.stringify(one)) });
    return post(body, await signed(body, accessKey));
  };

  test('delivers published events to the listeners of a channel, one event per frame', async () => {
    const [ann, other] = [await listening(), await listening('/inbox/ann/2')];
    const first = await publish([{ n: 1 }, { n: 2 }]);
    await publish([{ n: 3 }], 'inbox/ann/1/');
    await waitUntil(() => ann.getEvents('a').length === 3);
    expect(ann.frames.slice(2)).toEqual([
      { type: 'data', id: 'a', event: '{"n":1}' },
      { type: 'data', id: 'a', event: '{"n":2}' },
      { type: 'data', id: 'a', event: '{"n":3}' },
    ]);
    expect(other.getEvents('a')).toEqual([]);
    expect(first).toEqual({
      status: 200,
      body: {
        successful: [
          { identifier: expect.any(String), index: 0 },
          { identifier: expect.any(String), index: 1 },
        ],
        failed: [],
      },
    });
  });

  test('calls the authorizer for the connection and for each subscription', async () => {
    authorizerEvents.length = 0;
    await listening();
    const question = (context: object) => ({
      authorizationToken: 'Token good',
      requestContext: {
        apiId: 'abc',
        accountId: '000000000000',
        requestId: expect.any(String),
        ...context,
      },
      requestHeaders: { host: server.host },
    });
    expect(authorizerEvents).toEqual([
      question({ operation: 'EVENT_CONNECT', channelNamespaceName: null, channel: null }),
      question({
        operation: 'EVENT_SUBSCRIBE',
        channelNamespaceName: 'inbox',
        channel: '/inbox/ann/1',
      }),
    ]);
  });

  test.each(['bad', 'broken'])(
    'refuses a connection if the authorizer denies the token or fails (%s)',
    async (token) => {
      const one = await connect(token);
      expect(await one.waitForFrame('connection_error')).toEqual({
        type: 'connection_error',
        errors: [{ errorType: 'UnauthorizedException', message: 'You are not authorized.' }],
      });
      expect(await one.closed).toEqual({ code: 4401 });
    },
  );

  test('rejects a malformed token without calling the authorizer', async () => {
    authorizerEvents.splice(0);
    const one = await connect('malformed');
    expect((await one.waitForFrame('connection_error')).type).toBe('connection_error');
    expect(authorizerEvents).toEqual([]);
  });

  test.each(['Bearer good', 'bearer  good', 'good', 'Bearer a.b.c', 'a.b.c'])(
    'refuses the authorization %j, and calls the authorizer unless AppSync reserves the format',
    async (authorization) => {
      authorizerEvents.length = 0;
      const { LIVE_URL: url = '' } = server.variables;
      const shown = Buffer.from(
        JSON.stringify({ Authorization: authorization, host: server.host }),
      ).toString('base64url');
      const socket = new WebSocket(url, ['aws-appsync-event-ws', `header-${shown}`]);
      const frame = Promise.withResolvers<string>();
      socket.addEventListener('message', ({ data }) => frame.resolve(String(data)));
      socket.addEventListener('open', () => socket.send('{"type":"connection_init"}'));
      const isReserved = authorization !== 'good';
      const message = isReserved
        ? expect.stringContaining('Send `Token <jwt>`')
        : 'You are not authorized.';
      expect(JSON.parse(await frame.promise)).toEqual({
        type: 'connection_error',
        errors: [{ errorType: 'UnauthorizedException', message }],
      });
      expect(authorizerEvents).toHaveLength(isReserved ? 0 : 1);
    },
  );

  test.each<[string, object, string]>([
    ['another user’s channel', { channel: '/inbox/bob/1' }, 'UnauthorizedException'],
    [
      'the channel with an invalid token',
      { authorization: { Authorization: 'x' } },
      'UnauthorizedException',
    ],
    ['the channel without a token', { authorization: undefined }, 'UnauthorizedException'],
    ['another namespace', { channel: '/other/ann' }, 'BadRequestException'],
    ['an invalid channel', { channel: '/inbox/a n' }, 'BadRequestException'],
    ['a channel with a wildcard in the middle', { channel: '/inbox/*/1' }, 'BadRequestException'],
    ['a channel with six segments', { channel: '/inbox/ann/3/4/5/6' }, 'BadRequestException'],
  ])('refuses a subscription to %s', async (_, changes, errorType) => {
    const one = await connect();
    await one.waitForFrame('connection_ack');
    const authorization = { Authorization: 'Token good', host: server.host };
    one.send({ type: 'subscribe', id: 'b', channel: '/inbox/ann/1', authorization, ...changes });
    expect(await one.waitForFrame('subscribe_error', 'b')).toEqual({
      type: 'subscribe_error',
      id: 'b',
      errors: [{ errorType, message: expect.any(String) }],
    });
    await publish([1], '/inbox/ann/1');
    await waitForDeliveries(one);
    expect(one.getEvents('b')).toEqual([]);
  });

  test('supports a trailing wildcard if the authorizer allows the channel', async () => {
    const one = await listening('/inbox/ann/*');
    await publish([1], '/inbox/ann/7');
    await publish([2], '/inbox/ann');
    await publish([3], '/inbox/ann/7/8');
    await waitUntil(() => one.getEvents('a').length === 2);
    expect(one.getEvents('a')).toEqual([1, 3]);
    expect(await one.subscribe('b', '/inbox/*')).toMatchObject({ type: 'subscribe_error' });
  });

  test('rejects a wrong host, a duplicate or invalid subscription id, and an unknown frame type', async () => {
    const one = await listening();
    const authorization = { Authorization: 'Token good', host: 'elsewhere' };
    one.send({ type: 'subscribe', id: 'h', channel: '/inbox/ann/1', authorization });
    await one.waitForFrame('subscribe_error', 'h');
    one.send({ type: 'subscribe', id: 'a', channel: '/inbox/ann/1', authorization });
    expect(await one.waitForFrame('subscribe_error', 'a')).toMatchObject({
      errors: [{ errorType: 'DuplicatedOperationError' }],
    });
    one.send({ type: 'subscribe', id: 'a b', channel: '/inbox/ann/1', authorization });
    one.send({ type: 'dance', id: 'd' });
    expect(await one.waitForFrame('error', 'd')).toMatchObject({
      errors: [{ errorType: 'UnsupportedOperation' }],
    });
    expect(one.frames.filter(({ type }) => type === 'error')).toHaveLength(2);
  });

  test('refuses a subscription before connection_init', async () => {
    const { LIVE_URL: url = '' } = server.variables;
    const one = await connectListener({ url, host: server.host }, 'good');
    listeners.push(one);
    one.send({ type: 'subscribe', id: 'a', channel: '/inbox/ann/1' });
    expect(await one.waitForFrame('error')).toMatchObject({
      errors: [{ errorType: 'BadRequestException' }],
    });
  });

  test('refuses to publish with a token', async () => {
    const one = await listening();
    const authorization = { Authorization: 'Token good', host: server.host };
    one.send({ type: 'publish', id: 'p', channel: '/inbox/ann/1', events: ['1'], authorization });
    expect(await one.waitForFrame('publish_error', 'p')).toEqual({
      type: 'publish_error',
      id: 'p',
      errors: [{ errorType: 'UnauthorizedException', message: expect.any(String) }],
    });
    const { status } = await post('{}', { authorization: 'Token good' });
    expect([status, one.getEvents('a')]).toEqual([403, []]);
  });

  test('delivers nothing to a listener that has unsubscribed', async () => {
    const one = await listening();
    one.send({ type: 'unsubscribe', id: 'a' });
    await one.waitForFrame('unsubscribe_success', 'a');
    one.send({ type: 'unsubscribe', id: 'a' });
    expect(await one.waitForFrame('unsubscribe_error', 'a')).toMatchObject({
      errors: [{ errorType: 'UnknownOperationError' }],
    });
    await publish([1]);
    await waitForDeliveries(one);
    expect(one.getEvents('a')).toEqual([]);
  });

  test('sends keep-alive frames', async () => {
    const { LIVE_URL: url = '' } = server.variables;
    const socket = new WebSocket(url, [
      'aws-appsync-event-ws',
      `header-${Buffer.from(JSON.stringify({ Authorization: 'Token good', host: server.host })).toString('base64url')}`,
    ]);
    const frames: string[] = [];
    socket.addEventListener('message', ({ data }) => frames.push(String(data)));
    socket.addEventListener('open', () => socket.send('{"type":"connection_init"}'));
    await waitUntil(() => frames.length > 2);
    expect([socket.protocol, frames.slice(0, 3)]).toEqual([
      'aws-appsync-event-ws',
      ['{"type":"connection_ack","connectionTimeoutMs":300000}', '{"type":"ka"}', '{"type":"ka"}'],
    ]);
    socket.close();
  });

  test('closes a connection after 24 hours', async () => {
    const start = Date.now();
    now = () => start;
    const one = await listening();
    now = () => start + 24 * 60 * 60_000 - 1;
    // The connection is still open one or two keep-alive frames later.
    await new Promise((done) => setTimeout(done, 120));
    await waitForDeliveries(one);
    now = () => start + 24 * 60 * 60_000;
    expect(await one.closed).toEqual({ code: 1001 });
  });

  test('accepts at most 200 concurrent subscriptions per connection', async () => {
    const one = await listening();
    const channel = (n: number) => `/inbox/ann/${n}`;
    for (let n = 0; n < 199; n += 1) await one.subscribe(`s${n}`, channel(n));
    expect(await one.subscribe('b', channel(1))).toMatchObject({
      type: 'subscribe_error',
      errors: [{ errorType: 'MaxSubscriptionsReachedError' }],
    });
    one.send({ type: 'unsubscribe', id: 'a' });
    expect(await one.subscribe('c', channel(1))).toMatchObject({ type: 'subscribe_success' });
  });

  test('rejects connections with an unknown subprotocol or path', async () => {
    const { LIVE_URL: url = '', PUSH_URL: http = '' } = server.variables;
    const closes = (address: string, protocols: string[]) =>
      new Promise((resolve) => {
        const socket = new WebSocket(address, protocols);
        socket.addEventListener('open', () => resolve('opened'));
        socket.addEventListener('close', () => resolve('closed'));
      });
    expect([
      await closes(url, []),
      await closes(url, ['graphql-ws']),
      await closes(url.replace('/realtime', ''), ['aws-appsync-event-ws']),
      (await fetch(http)).status,
    ]).toEqual(['closed', 'closed', 'closed', 404]);
  });

  test('accepts only requests with a valid, recent signature of a role that may publish', async () => {
    const one = await listening();
    const body = JSON.stringify({ channel: '/inbox/ann/1', events: ['1'] });
    const good = await signed(body);
    const status = async (text: string, headers: Record<string, string>) =>
      (await post(text, headers)).status;
    expect([
      await status(body, {}),
      await status(body.replace('1', '2'), good),
      await status(body, { ...good, 'content-type': 'text/plain' }),
      await status(body, await signed(body, 'UNKNOWN')),
      await status(body, await signed(body, 'WORKER', { service: 'dynamodb' })),
      await status(body, await signed(body, 'WORKER', { region: 'eu-west-1' })),
      await status(body, await signed(body, 'WORKER', { secretAccessKey: 'another' })),
    ]).toEqual([403, 403, 403, 403, 403, 403, 403]);
    now = () => Date.now() + 6 * 60_000;
    expect(await status(body, good)).toBe(403);
    now = Date.now;
    expect(await publish([1], '/inbox/ann/1', 'OTHER')).toEqual({
      status: 403,
      body: {
        errors: [
          {
            errorType: 'UnauthorizedException',
            message: `User: arn:aws:sts::000000000000:assumed-role/other is not authorized to perform: appsync:EventPublish on resource: ${arn}/channelNamespace/inbox`,
          },
        ],
      },
    });
    await waitForDeliveries(one);
    expect(one.getEvents('a')).toEqual([]);
    expect(await status(body, good)).toBe(200);
  });

  test('accepts a call on a valid channel if it has one to five JSON events of at most 240 KB each and 1.2 MB in total', async () => {
    const status = async (channel: string, events: unknown) => {
      const body = JSON.stringify({ channel, events });
      return (await post(body, await signed(body))).status;
    };
    const text = JSON.stringify('x'.repeat(48_000));
    const large = JSON.stringify('x'.repeat(240_000));
    expect([
      await status('/inbox/ann/1', Array(5).fill(text)),
      await status('/inbox/ann/1', [large, large]),
      await status('/inbox/ann/1', Array(6).fill('1')),
      await status('/inbox/ann/1', []),
      await status('/inbox/ann/1', ['{']),
      await status('/inbox/ann/1', [{ n: 1 }]),
      await status('/inbox/ann/1', [JSON.stringify('x'.repeat(250_000))]),
      await status('/inbox/ann/1', Array(5).fill(JSON.stringify('x'.repeat(245_756)))),
      await status('/inbox/*', ['1']),
      await status('/other/ann/1', ['1']),
    ]).toEqual([200, 200, 400, 400, 400, 400, 413, 413, 400, 400]);
  });

  test('while 100 subscriptions are pending, refuses others with a LimitExceededError that has no subscription id', async () => {
    const one = await connect();
    await one.waitForFrame('connection_ack');
    const authorization = { Authorization: 'Token good', host: server.host };
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    authorizerDelay = promise;
    for (let n = 0; n < 105; n += 1) {
      one.send({ type: 'subscribe', id: `s${n}`, channel: `/inbox/ann/${n}`, authorization });
    }
    const count = (type: string) => one.frames.filter((frame) => frame.type === type).length;
    await waitUntil(() => count('error') === 5);
    finish();
    await waitUntil(() => count('subscribe_success') === 100);
    expect(await one.waitForFrame('error')).toEqual({
      type: 'error',
      errors: [{ errorType: 'LimitExceededError', message: expect.any(String) }],
    });
    expect(await waitForDeliveries(one)).toMatchObject({ type: 'subscribe_success' });
  });

  test('can replace or omit the reply to a frame, as an injected fault', async () => {
    const one = await connect();
    await one.waitForFrame('connection_ack');
    overrideFrame = ({ id }) =>
      id === 'a' ? { type: 'error', id: 'a', errors: [] } : id === 'b' ? null : undefined;
    const authorization = { Authorization: 'Token good', host: server.host };
    for (const id of ['a', 'b', 'c']) {
      one.send({ type: 'subscribe', id, channel: '/inbox/ann/1', authorization });
    }
    await one.waitForFrame('subscribe_success', 'c');
    await publish([1]);
    await waitForDeliveries(one);
    expect(one.frames.slice(1).map(({ type, id }) => [type, id])).toEqual([
      ['error', 'a'],
      ['subscribe_success', 'c'],
      ['data', 'c'],
      ['subscribe_success', 'last'],
    ]);
  });

  test('can inject lost, delayed and failed deliveries, and dropped connections', async () => {
    const one = await listening();
    fault = 'lose';
    await publish([1]);
    const delay = Promise.withResolvers<void>();
    fault = delay.promise;
    await publish([2]);
    fault = undefined;
    await publish([3]);
    await waitUntil(() => one.getEvents('a').length === 1);
    delay.resolve();
    await waitUntil(() => one.getEvents('a').length === 2);
    expect(one.getEvents('a')).toEqual([3, 2]);
    fault = 'fail';
    await publish([4]);
    expect(await one.waitForFrame('broadcast_error', 'a')).toMatchObject({
      errors: [{ errorType: 'MessageProcessingError' }],
    });
    server.dropConnections();
    expect(await one.closed).toEqual({ code: 1006 });
  });
});
