import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GatewayRequest } from '../../../local-cloud/gateway/gateway-request.ts';
import { startGatewayServer } from '../../../local-cloud/gateway/gateway-server.ts';

let gateway: Awaited<ReturnType<typeof startGatewayServer>>;
const received: GatewayRequest[] = [];

beforeAll(async () => {
  const answer = async (request: GatewayRequest) => {
    received.push(request);
    return { status: 200, headers: [], body: `${request.method} ${request.path}\n` };
  };
  gateway = await startGatewayServer(0, Promise.resolve(answer));
});
afterAll(() => gateway.close());

/** Sends the bytes as they are, and gives all that comes back until the server hangs up. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(lines.join('\r\n'));
  return text(socket);
}

const bodies = (answer: string) =>
  [...answer.matchAll(/^(?:GET|POST|HEAD) \S+/gm)].map(([line]) => line);

describe('the gateway on the wire', () => {
  test('answers requests that are sent without waiting, in their order', async () => {
    const answer = await raw(
      'GET /a HTTP/1.1',
      'Host: x',
      '',
      'GET /b HTTP/1.1',
      'Host: x',
      'Connection: close',
      '',
      '',
    );
    expect(bodies(answer)).toEqual(['GET /a', 'GET /b']);
  });

  test('gives HEAD no body', async () => {
    const answer = await raw('HEAD /a HTTP/1.1', 'Host: x', 'Connection: close', '', '');
    expect(answer.split('\r\n\r\n')).toEqual([expect.stringContaining('200 OK'), '']);
  });

  test('asks for the body of a client that waits to be asked', async () => {
    const answer = await raw(
      'POST /a HTTP/1.1',
      'Host: x',
      'Expect: 100-continue',
      'Content-Length: 2',
      'Connection: close',
      '',
      'hi',
    );
    expect(answer).toContain('HTTP/1.1 100 Continue');
    expect(received.at(-1)?.body.toString()).toBe('hi');
  });

  test.each([
    ['/%zz?%zz=%', '/%zz'],
    ['http://elsewhere.example/a?b', '/a'],
    ['*', '/'],
    ['//a', '//a'],
  ])('takes the odd target %s for the path %s', async (target, path) => {
    const answer = await raw(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', '', '');
    expect(bodies(answer)).toEqual([`GET ${path}`]);
  });

  test('refuses what is no HTTP, and goes on', async () => {
    expect(await raw('nonsense', '', '')).toContain('HTTP/1.1 400 Bad Request');
    expect(await (await fetch(`${gateway.url}/a`)).text()).toBe('GET /a\n');
  });

  test('reads no more of a body than it must to know that it is too large', async () => {
    const response = await fetch(`${gateway.url}/a`, { method: 'POST', body: Buffer.alloc(12e6) });
    await response.text();
    const { length } = received.at(-1)?.body ?? [];
    expect(length).toBeGreaterThan(10 * 1024 * 1024);
    expect(length).toBeLessThan(11e6);
  });

  test('survives a client that hangs up in the middle', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await new Promise((done) => setTimeout(done, 20));
    socket.destroy();
    expect(await (await fetch(`${gateway.url}/a`)).text()).toBe('GET /a\n');
  });

  test('cannot have a port that is taken, and says what to do', async () => {
    const port = Number(new URL(gateway.url).port);
    await expect(startGatewayServer(port, new Promise(() => {}))).rejects.toThrow(
      `Port ${port} is in use: choose another with --port, or stop the program that uses it.`,
    );
  });
});
