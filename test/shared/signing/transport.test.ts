import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, jest, test } from '@jest/globals';
import { listen } from '../../../local-cloud/listen.ts';
import { createTransport, type HttpRequest } from '../../../shared/signing/transport.ts';

/** The maximum idle time exceeds the duration of any test. */
const limits = { maxConnections: 10, maxIdleMilliseconds: 10 * 60 * 1000 };

const servers: Awaited<ReturnType<typeof listen>>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

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

test('A request sends method, headers and body, and returns the reply’s status, headers and body', async () => {
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
  ['no longer deliver replies', () => {}, 'TimeoutError'],
])('If all idle connections %s, only one request fails', async (_, act, error) => {
  const served = new Set<number | undefined>();
  const { request } = await start(async (received, response) => {
    const { socket } = received;
    await buffer(received);
    if (served.has(socket.remotePort)) return act(socket);
    served.add(socket.remotePort);
    response.end();
  });
  const send = createTransport({ ...limits, maxIdleMilliseconds: 1000 });
  await Promise.all(Array.from({ length: 5 }, () => send(request)));
  const cause = await send(request).catch(({ code, name }) => code ?? name);
  expect(cause).toBe(error);
  expect(await send(request)).toMatchObject({ status: 200 });
});

test('A request does not time out while it waits for a connection, but rejects if its signal aborts', async () => {
  const ports = new Set<number | undefined>();
  const { request } = await start(({ socket }, response) => {
    ports.add(socket.remotePort);
    setTimeout(() => response.end(), 250);
  });
  const send = createTransport({ maxConnections: 1, maxIdleMilliseconds: 900 });
  const sending = Array.from({ length: 4 }, () => send(request));
  const aborted = send(request, AbortSignal.timeout(20));
  await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
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

test('A request does not time out while the server sends informational responses', async () => {
  const { request } = await start((_, response) => {
    setTimeout(() => response.writeProcessing(), 200);
    setTimeout(() => response.end(), 400);
  });
  const send = createTransport({ ...limits, maxIdleMilliseconds: 300 });
  expect(await send(request)).toMatchObject({ status: 200 });
});

/** Replies to each request, and then sets the shared flag to the number of replies. */
const replyingServer = `
  const { workerData, parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    response.end('{}', () => {
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('A reply that arrives while the process is paused beyond the idle limit is read before the request times out', async () => {
  const replies = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(replyingServer, { eval: true, workerData: replies });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const request = { method: 'GET', url: new URL(`http://127.0.0.1:${port}`), headers: {} };
  const { setTimeout } = globalThis;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate'] });
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
  jest.useRealTimers();
  await worker.terminate();
});

test('A request rejects with an AbortError when its signal aborts, and immediately if the signal has already aborted', async () => {
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
