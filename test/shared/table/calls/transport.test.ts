import { createServer, type RequestListener, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '../../../../local-cloud/listen.ts';
import { createTransport, type HttpRequest } from '../../../../shared/table/calls/transport.ts';

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
  const request = {
    url: new URL(`http://127.0.0.1:${listening.port}`),
    headers: { 'x-amz-target': 'PutItem' },
    body: '{"Item":{}}',
  };
  return { server, request };
}

test('A request arrives whole, and its reply is returned whole', async () => {
  const { request } = await start(async (received, response) => {
    const body = await buffer(received);
    response.writeHead(400);
    response.write(`${received.method} ${received.headers['x-amz-target']} `);
    response.end(body);
  });
  expect(await createTransport(never)(request)).toEqual({
    status: 400,
    body: 'POST PutItem {"Item":{}}',
  });
});

test('Consecutive requests share a connection', async () => {
  const ports = new Set<number | undefined>();
  const { request } = await start((received, response) => {
    ports.add(received.socket.remotePort);
    response.end();
  });
  const send = createTransport(never);
  for (let n = 0; n < 3; n += 1) await send(request);
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
    const sending = createTransport(30)(request);
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError' });
    await closed.promise;
  },
);

test('A request rejects with an AbortError when its signal aborts, and at once if it has aborted', async () => {
  const abort = new AbortController();
  const { request } = await start(() => abort.abort());
  const send = createTransport(never);
  const sending = send(request, abort.signal);
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  const late = send(request, abort.signal);
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
    const sending = createTransport(never)(request);
    await expect(sending).rejects.toMatchObject({ code: 'ECONNRESET' });
  },
);
