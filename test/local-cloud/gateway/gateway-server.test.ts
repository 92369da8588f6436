import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGatewayServer } from '../../../local-cloud/gateway/gateway-server.ts';
import type { GatewayRequest } from '../../../local-cloud/gateway/request/gateway-request.ts';

let gateway: Awaited<ReturnType<typeof startGatewayServer>>;
const received: GatewayRequest[] = [];

beforeAll(async () => {
  const handleRequest = async (request: GatewayRequest) => {
    received.push(request);
    return { status: 200, headers: [], body: `${request.method} ${request.path}\n` };
  };
  gateway = await startGatewayServer(0, Promise.resolve(handleRequest));
});
afterAll(() => gateway.close());

/** Sends raw lines. Returns everything that the server sends until it closes the connection. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(lines.join('\r\n'));
  return text(socket);
}

const bodies = (reply: string) =>
  [...reply.matchAll(/^(?:GET|POST|HEAD) \S+/gm)].map(([line]) => line);

describe('the HTTP server of the gateway', () => {
  test('replies to pipelined requests in order', async () => {
    const reply = await raw(
      'GET /a HTTP/1.1',
      'Host: x',
      '',
      'GET /b HTTP/1.1',
      'Host: x',
      'Connection: close',
      '',
      '',
    );
    expect(bodies(reply)).toEqual(['GET /a', 'GET /b']);
  });

  test('sends no body for HEAD', async () => {
    const reply = await raw('HEAD /a HTTP/1.1', 'Host: x', 'Connection: close', '', '');
    expect(reply.split('\r\n\r\n')).toEqual([expect.stringContaining('200 OK'), '']);
  });

  test('sends 100 Continue to a client that waits for it', async () => {
    const reply = await raw(
      'POST /a HTTP/1.1',
      'Host: x',
      'Expect: 100-continue',
      'Content-Length: 2',
      'Connection: close',
      '',
      'hi',
    );
    expect(reply).toContain('HTTP/1.1 100 Continue');
    expect(received.at(-1)?.body.toString()).toBe('hi');
  });

  test.each([
    ['/%zz?%zz=%', '/%zz'],
    ['http://elsewhere.example/a?b', '/a'],
    ['*', '/'],
    ['//a', '//a'],
  ])('accepts the request target %s as the path %s', async (target, path) => {
    const reply = await raw(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', '', '');
    expect(bodies(reply)).toEqual([`GET ${path}`]);
  });

  test('rejects invalid HTTP with 400 and serves the next request', async () => {
    expect(await raw('nonsense', '', '')).toContain('HTTP/1.1 400 Bad Request');
    expect(await (await fetch(`${gateway.url}/a`)).text()).toBe('GET /a\n');
  });

  test('stops reading a body that exceeds the maximum size', async () => {
    const response = await fetch(`${gateway.url}/a`, { method: 'POST', body: Buffer.alloc(12e6) });
    await response.text();
    const { length } = received.at(-1)?.body ?? [];
    expect(length).toBeGreaterThan(10 * 1024 * 1024);
    expect(length).toBeLessThan(11e6);
  });

  test('serves the next request after a client disconnects during a request', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await new Promise((done) => setTimeout(done, 20));
    socket.destroy();
    expect(await (await fetch(`${gateway.url}/a`)).text()).toBe('GET /a\n');
  });

  test('fails with an instruction if the port is in use', async () => {
    const port = Number(new URL(gateway.url).port);
    await expect(startGatewayServer(port, new Promise(() => {}))).rejects.toThrow(
      `Port ${port} is in use: choose another with --port, or stop the program that uses it.`,
    );
  });
});
