import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, jest, test } from '@jest/globals';
import { listen } from '../../../local-cloud/listen.ts';
import { createTransport, type HttpRequest } from '../../../shared/signing/transport.ts';
import { startReplyingThread } from '../../support/processes/replying-thread.ts';

/** The maximum idle time exceeds the duration of any test. */
const limits = { maxConnections: 10, maxIdleMilliseconds: 10 * 60 * 1000 };

const servers: Awaited<ReturnType<typeof listen>>[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

/** Fakes the timers of idle limits, but not the functions that connections need. */
const useFakeTimers = () =>
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate'] });

async function start(
  handleRequest: RequestListener,
): Promise<{ server: Server; request: HttpRequest }> {
  const server = createServer(handleRequest);
  const listening = await listen(server, 0);
  servers.push(listening);
  const request = {
    method: 'POST',
    url: new URL(`http://127.0.0.1:${listening.port}`),
    headers: { 'x-amz-target': 'PutItem' },
    body: '{"Item":{}}',
  };
  return { server, request };
}

test('A request sends the method, headers and body, and returns the reply’s status, headers and body', async () => {
  const { request } = await start(async (received, response) => {
    const body = await buffer(received);
    response.writeHead(400, { 'content-type': 'text/plain' });
    response.write(`${received.method} ${received.headers['x-amz-target']} `);
    response.end(body);
  });
  expect(await createTransport(limits)(request)).toMatchObject({
    status: 400,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from('POST PutItem {"Item":{}}'),
  });
});

test('Consecutive requests share a connection', async () => {
  const ports = new Set<number | undefined>();
  const { request } = await start((received, response) => {
    ports.add(received.socket.remotePort);
    response.end();
  });
  const send = createTransport(limits);
  for (let n = 0; n < 3; n += 1) await send(request);
  expect(ports.size).toBe(1);
});

test.each([
  ['are reset', (socket: Socket) => socket.resetAndDestroy(), 'ECONNRESET'],
  [
    'no longer deliver replies',
    () => jest.advanceTimersByTime(limits.maxIdleMilliseconds),
    'TimeoutError',
  ],
])('If all idle connections %s, only one request fails', async (_, act, error) => {
  const served = new Set<number | undefined>();
  const { request } = await start(async (received, response) => {
    const { socket } = received;
    await buffer(received);
    if (served.has(socket.remotePort)) return act(socket);
    served.add(socket.remotePort);
    response.end();
  });
  useFakeTimers();
  const send = createTransport(limits);
  await Promise.all(Array.from({ length: 5 }, () => send(request)));
  const cause = await send(request).catch(({ code, name }) => code ?? name);
  expect(cause).toBe(error);
  expect(await send(request)).toMatchObject({ status: 200 });
});

test('A request does not time out while it waits for a connection, but rejects if its signal aborts', async () => {
  const ports = new Set<number | undefined>();
  const abort = new AbortController();
  const { request } = await start(({ socket }, response) => {
    ports.add(socket.remotePort);
    abort.abort();
    jest.advanceTimersByTime(limits.maxIdleMilliseconds * 0.4);
    response.end();
  });
  useFakeTimers();
  const send = createTransport({ ...limits, maxConnections: 1 });
  const sending = Array.from({ length: 4 }, () => send(request));
  const aborted = send(request, abort.signal);
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect((await Promise.all(sending)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(ports.size).toBe(1);
});

test.each([
  ['without a reply', () => {}],
  ['whose reply stops midway', (_, response) => response.writeHead(200).write('{')],
] as [string, RequestListener][])(
  'A request %s rejects with a TimeoutError and closes its connection',
  async (_, handleRequest) => {
    const closed = Promise.withResolvers<void>();
    const { server, request } = await start(handleRequest);
    server.on('connection', (socket) => socket.once('close', () => closed.resolve()));
    const sending = createTransport({ ...limits, maxIdleMilliseconds: 30 })(request);
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError' });
    await closed.promise;
  },
);

test('A request succeeds if its reply arrives while the process is paused beyond the idle limit', async () => {
  const { url, replies, stop } = await startReplyingThread();
  const request = { method: 'GET', url: new URL(url), headers: {} };
  const { setTimeout } = globalThis;
  useFakeTimers();
  const send = createTransport(limits);
  for (let count = 1, isPaused = false; !isPaused; count += 2) {
    await send(request);
    // From here to the end of the pause, the event loop stays in its timer phase and reads no data.
    do await new Promise<void>((resolve) => setTimeout(resolve));
    while (Atomics.load(replies, 0) < count);
    const sending = send(request);
    for (let tick = 0; tick < 10; tick++) await new Promise<void>((done) => process.nextTick(done));
    // If the request needs a new connection, no reply arrives during the pause.
    isPaused = Atomics.wait(replies, 0, count, 1000) !== 'timed-out';
    if (isPaused) jest.advanceTimersByTime(limits.maxIdleMilliseconds);
    expect(await sending).toMatchObject({ status: 200 });
  }
  await stop();
});

test('A request rejects with an AbortError if its signal aborts or has already aborted', async () => {
  const abort = new AbortController();
  const { request } = await start(() => abort.abort());
  const send = createTransport(limits);
  const sending = send(request, abort.signal);
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  const late = send(request, abort.signal);
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
});

test.each([
  ['before the reply', (received) => received.socket.resetAndDestroy()],
  [
    'during the reply',
    (received, response) => response.write('{', () => received.socket.resetAndDestroy()),
  ],
] as [string, RequestListener][])(
  'A request whose connection is reset %s rejects with ECONNRESET',
  async (_, handleRequest) => {
    const { request } = await start(handleRequest);
    const sending = createTransport(limits)(request);
    await expect(sending).rejects.toMatchObject({ code: 'ECONNRESET' });
  },
);
