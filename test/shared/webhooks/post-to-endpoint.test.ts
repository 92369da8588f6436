import { once } from 'node:events';
import http, {
  type ClientRequest,
  createServer,
  type RequestListener,
  type Server,
} from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { postToEndpoint, refusePrivatePeer } from '../../../shared/webhooks/post-to-endpoint.ts';
import { startReplyingThread } from '../../support/processes/replying-thread.ts';

const servers: Server[] = [];
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function startEndpoint(handleRequest: RequestListener): Promise<string> {
  const server = createServer(handleRequest);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/hooks?a=1`;
}

const post = (url: string, milliseconds = 60_000) =>
  postToEndpoint(url, { 'webhook-id': '1' }, '{"é":1}', { reach: 'local', milliseconds });

describe('A POST to a webhook endpoint', () => {
  test('sends the headers and the body, and returns the reply’s status, Retry-After header and text', async () => {
    const url = await startEndpoint(async (request, response) => {
      const body = await text(request);
      response.writeHead(429, { 'Retry-After': '7' });
      response.end(`${request.method} ${request.url} ${request.headers['webhook-id']} ${body}`);
    });
    expect(await post(url)).toEqual({
      status: 429,
      retryAfter: '7',
      text: 'POST /hooks?a=1 1 {"é":1}',
    });
  });

  test('does not follow redirects', async () => {
    const paths: unknown[] = [];
    const url = await startEndpoint((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { Location: '/other' }).end();
    });
    expect((await post(url)).status).toBe(307);
    expect(paths).toHaveLength(1);
  });

  test('reads only the first 1,024 bytes of an endless reply', async () => {
    const url = await startEndpoint((_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    expect(await post(url)).toMatchObject({ status: 200, text: 'x'.repeat(1024) });
  });

  test('fails if no reply arrives in time', async () => {
    const url = await startEndpoint(() => {});
    await expect(post(url, 50)).rejects.toThrow('No reply within 0.05 seconds.');
  });

  test('returns the status and the text received so far if the body does not end in time', async () => {
    const url = await startEndpoint((_, response) => {
      response.writeHead(200);
      response.write('slow');
    });
    const milliseconds = 600_000;
    const opening = jest.spyOn(http, 'request');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate'] });
    const posting = post(url, milliseconds);
    const request = opening.mock.results[0]?.value as ClientRequest;
    request.once('response', (response) => {
      response.once('data', () => jest.advanceTimersByTime(milliseconds));
    });
    expect(await posting).toMatchObject({ status: 200, text: 'slow' });
  });

  test('returns a reply that arrives while the process is paused beyond the time limit', async () => {
    const { url, replies, stop } = await startReplyingThread();
    const milliseconds = 600_000;
    const opening = jest.spyOn(http, 'request');
    const { setTimeout } = globalThis;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate'] });
    const posting = post(url, milliseconds);
    const [socket] = await once(opening.mock.results[0]?.value as ClientRequest, 'socket');
    await once(socket, 'connect');
    // The request has been sent. After the pause, the event loop runs this timer before it reads
    // data.
    setTimeout(() => jest.advanceTimersByTime(milliseconds), 1);
    Atomics.wait(replies, 0, 0);
    Atomics.wait(replies, 0, 1, 10);
    expect(await posting).toMatchObject({ status: 200, text: '{}' });
    await stop();
  });

  test('fails if the server closes the connection without a reply', async () => {
    const url = await startEndpoint((request) => request.socket.destroy());
    await expect(post(url)).rejects.toThrow();
  });

  test('opens a new connection, even to the same endpoint', async () => {
    const ports: unknown[] = [];
    const url = await startEndpoint((request, response) => {
      ports.push(request.socket.remotePort);
      response.end();
    });
    await post(url);
    await post(url);
    expect(new Set(ports).size).toBe(2);
  });
});

test.each([
  ['127.0.0.1', true],
  ['::ffff:10.0.0.1', true],
  ['8.8.8.8', false],
])('A request whose socket connects to %s is destroyed: %s', (remoteAddress, isClosed) => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const errors: Error[] = [];
  const request = { destroy: (error: Error) => errors.push(error) };
  refusePrivatePeer(request, socket);
  socket.emit('connect');
  expect(errors.length > 0).toBe(isClosed);
});
