import { createServer, type RequestListener, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { HttpRequest } from '@smithy/core/transport';
import { listen } from '../../../../local-cloud/listen.ts';
import { createRequestHandler } from '../../../../shared/table/calls/request-handler.ts';

/** Longer than a test. */
const never = 10 * 60 * 1000;

const servers: Awaited<ReturnType<typeof listen>>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a server and returns it with a request to it. */
async function start(answer: RequestListener): Promise<{ server: Server; request: HttpRequest }> {
  const server = createServer(answer);
  const listening = await listen(server, 0);
  servers.push(listening);
  const request = new HttpRequest({
    ...{ protocol: 'http:', hostname: '127.0.0.1', port: listening.port, method: 'POST' },
    ...{ path: '/', headers: { 'x-amz-target': 'PutItem' }, body: Buffer.from('{"Item":{}}') },
  });
  return { server, request };
}

test('A request arrives whole, and its reply is returned whole', async () => {
  const { request } = await start(async (received, response) => {
    const body = await buffer(received);
    response.writeHead(400, { 'x-amzn-requestid': 'r' });
    response.write(`${received.method} ${received.headers['x-amz-target']} `);
    response.end(body);
  });
  const { response } = await createRequestHandler(never).handle(request);
  expect(response).toMatchObject({ statusCode: 400, headers: { 'x-amzn-requestid': 'r' } });
  expect(String(response.body)).toBe('POST PutItem {"Item":{}}');
});

test('Consecutive requests share a connection', async () => {
  const ports = new Set<number | undefined>();
  const { request } = await start((received, response) => {
    ports.add(received.socket.remotePort);
    response.end();
  });
  const handler = createRequestHandler(never);
  for (let n = 0; n < 3; n += 1) await handler.handle(request);
  expect(ports.size).toBe(1);
});

test.each([
  ['without a reply', () => {}],
  ['whose reply stops', (_, response) => response.writeHead(200).write('{')],
] as [string, RequestListener][])(
  'A request %s rejects with a TimeoutError and closes its connection',
  async (_, answer) => {
    const closed = Promise.withResolvers<void>();
    const { server, request } = await start(answer);
    server.on('connection', (socket) => socket.once('close', () => closed.resolve()));
    const sending = createRequestHandler(30).handle(request);
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError' });
    await closed.promise;
  },
);

test('A request rejects with an AbortError when its signal aborts, and at once if it has aborted', async () => {
  const abort = new AbortController();
  const { request } = await start(() => abort.abort());
  const handler = createRequestHandler(never);
  const sending = handler.handle(request, { abortSignal: abort.signal });
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  const late = handler.handle(request, { abortSignal: abort.signal });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
});

test.each([
  ['before the reply', (received) => received.socket.resetAndDestroy()],
  [
    'within the reply',
    (received, response) => response.write('{', () => received.socket.resetAndDestroy()),
  ],
] as [string, RequestListener][])(
  'A connection reset %s rejects with its code',
  async (_, answer) => {
    const { request } = await start(answer);
    const sending = createRequestHandler(never).handle(request);
    await expect(sending).rejects.toMatchObject({ code: 'ECONNRESET' });
  },
);
