import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Problem } from '../../../lib/problem.ts';
import { startGatewayServer } from '../../../local-cloud/gateway/gateway-server.ts';
import { startPlayground } from '../../../local-cloud/playground/playground.ts';

const directory = mkdtempSync(join(tmpdir(), 'messaging-playground-'));
const warnings: string[] = [];
let gateway: Awaited<ReturnType<typeof startGatewayServer>>;
let port: string;

const playgroundIn = (folder: string) =>
  startPlayground({
    directory: folder,
    token: async (contactId, claims) => {
      if (contactId === 'mallory') throw new Problem('mallory is suspended.');
      return JSON.stringify({ contactId, ...claims });
    },
    warn: (line) => warnings.push(line),
  });

beforeAll(async () => {
  const api = async () => ({ status: 404, headers: [], body: 'of the API' });
  gateway = await startGatewayServer(0, Promise.resolve(playgroundIn(directory).wrapHandler(api)));
  port = new URL(gateway.url).port;
});
afterAll(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request with a browser's Accept header. Unlike `fetch`, allows a Host header. */
async function sendRequest(
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
) {
  const message = httpRequest(`${gateway.url}${path}`, {
    method,
    headers: { Accept: 'text/html,*/*;q=0.8', ...headers },
  });
  message.end(body);
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    message.once('response', resolve);
    message.once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('The playground', () => {
  test('serves a page whose files have the correct content types and cache headers', async () => {
    const page = await sendRequest('/');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const paths = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const file = await sendRequest(path);
      expect([path, file.status, file.headers['content-type']]).toEqual([
        path,
        200,
        path.endsWith('.js')
          ? 'text/javascript; charset=utf-8'
          : path.endsWith('.css')
            ? 'text/css; charset=utf-8'
            : 'image/svg+xml',
      ]);
      const isNamedByContent = path.includes('/assets/');
      expect(file.headers['cache-control']).toBe(
        isNamedByContent ? 'max-age=31536000, immutable' : 'no-store',
      );
    }
  });

  test('may connect only to servers on this machine, and cannot be framed', async () => {
    const { headers, body } = await sendRequest('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: http://127.0.0.1:*; " +
        "connect-src 'self' ws://127.0.0.1:* http://127.0.0.1:*; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/);
  });

  test.each([
    ['GET', '/playground'],
    ['GET', '/playground/'],
    ['GET', '/playground/index.htm'],
    ['GET', '/playground/../package.json'],
    ['GET', '/playground/%2e%2e/package.json'],
    ['GET', '/favicon.ico'],
    ['GET', '/v1/messages'],
    ['GET', '//'],
    ['POST', '/'],
    ['OPTIONS', '/'],
    ['OPTIONS', '/playground/tokens'],
    ['GET', '/playground/tokens'],
  ])('leaves %s %s to the API', async (method, path) => {
    expect((await sendRequest(path, { method })).body).toBe('of the API');
  });

  test('leaves / to the API if the client does not accept HTML', async () => {
    for (const Accept of ['*/*', 'application/json']) {
      expect((await sendRequest('/', { headers: { Accept } })).body).toBe('of the API');
    }
  });

  test('replies to HEAD as to GET, but without a body', async () => {
    const [head, get] = [await sendRequest('/', { method: 'HEAD' }), await sendRequest('/')];
    expect([head.status, head.body, head.headers['content-type']]).toEqual([
      200,
      '',
      get.headers['content-type'],
    ]);
  });

  test('is not served under foreign host names, to prevent DNS rebinding', async () => {
    for (const Host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'x@localhost',
    ]) {
      const page = await sendRequest('/', { headers: { Host } });
      expect([Host, page.body]).toEqual([Host, 'of the API']);
    }
    expect((await sendRequest('/', { headers: { Host: `localhost:${port}` } })).status).toBe(200);
  });

  test('reports a failed build on its page and in the terminal, and the API still replies', async () => {
    const broken = playgroundIn('/dev/null/nowhere');
    await broken.waitForBuild();
    expect(warnings).toEqual([expect.stringContaining('/dev/null')]);
    const api = async () => ({ status: 200, headers: [], body: 'of the API' });
    const other = await startGatewayServer(0, Promise.resolve(broken.wrapHandler(api)));
    const replies = await Promise.all(
      ['/', '/v1/messages'].map(async (path) => {
        const headers = { Accept: 'text/html' };
        const response = await fetch(`${other.url}${path}`, { headers });
        return [response.status, await response.text()];
      }),
    );
    await other.close();
    expect(replies).toEqual([
      [500, warnings[0]],
      [200, 'of the API'],
    ]);
  });

  test('is built once: the next start reuses the build', async () => {
    await sendRequest('/');
    const before = readdirSync(directory);
    await playgroundIn(directory).waitForBuild();
    expect([before.length, readdirSync(directory)]).toEqual([1, before]);
  });
});

describe('Playground tokens', () => {
  const ownOrigin = () => ({
    Host: `127.0.0.1:${port}`,
    Origin: `http://127.0.0.1:${port}`,
    'Sec-Fetch-Site': 'same-origin',
  });
  const tokenFor = (requestBody: unknown, headers: Record<string, string>) =>
    sendRequest('/playground/tokens', {
      method: 'POST',
      headers,
      body: JSON.stringify(requestBody),
    });

  test('are created for any user if the playground’s page requests them, and expire after an hour', async () => {
    const requestBody = { contact_id: 'ann', username: 'Ann', groups: ['team'] };
    const { status, headers, body } = await tokenFor(requestBody, ownOrigin());
    expect([status, headers['access-control-allow-origin'], headers['cache-control']]).toEqual([
      200,
      undefined,
      'no-store',
    ]);
    expect(JSON.parse(JSON.parse(body).token)).toEqual({
      contactId: 'ann',
      username: 'Ann',
      groups: ['team'],
      expires_in: 3600,
    });
  });

  test('are created for requests to localhost and through a forwarded port', async () => {
    const origin = (host: string) => ({ Host: host, Origin: `http://${host}` });
    for (const host of [`localhost:${port}`, 'localhost:8080', 'localhost']) {
      expect((await tokenFor({ contact_id: 'ann' }, origin(host))).status).toBe(200);
    }
  });

  test.each<[string, () => Record<string, string>]>([
    ['another page', () => ({ ...ownOrigin(), Origin: 'https://evil.example' })],
    [
      'a page on another port of this machine',
      () => ({ ...ownOrigin(), Origin: 'http://127.0.0.1:1' }),
    ],
    [
      'a page under another name of this machine',
      () => ({ ...ownOrigin(), Origin: `http://localhost:${port}` }),
    ],
    ['a page with a null origin', () => ({ ...ownOrigin(), Origin: 'null' })],
    ['a request without an Origin header', () => ({ Host: `127.0.0.1:${port}` })],
    [
      'a request that the browser does not mark as same-origin',
      () => ({ ...ownOrigin(), 'Sec-Fetch-Site': 'same-site' }),
    ],
  ])('are not created for %s', async (_, headers) => {
    const { status, body } = await tokenFor({ contact_id: 'ann' }, headers());
    expect([status, JSON.parse(body)]).toEqual([
      403,
      { message: 'Only the playground’s own page can get tokens here.' },
    ]);
  });

  test('are not created under a foreign host name, where the API handles the request', async () => {
    const host = `evil.example:${port}`;
    const headers = { ...ownOrigin(), Host: host, Origin: `http://${host}` };
    expect((await tokenFor({ contact_id: 'ann' }, headers)).body).toBe('of the API');
  });

  test('are not created for a suspended person', async () => {
    const { status, body } = await tokenFor({ contact_id: 'mallory' }, ownOrigin());
    expect([status, JSON.parse(body)]).toEqual([403, { message: 'mallory is suspended.' }]);
  });

  test.each([
    [undefined, 'body: '],
    [{}, 'contact_id: '],
    [{ contact_id: '' }, 'contact_id: '],
    [{ contact_id: 'ann', groups: 'team' }, 'groups: '],
    [{ contact_id: 'ann', audience: 'elsewhere' }, 'audience: '],
  ])('are not created from the invalid request body %j', async (requestBody, beginning) => {
    const { status, body } = await tokenFor(requestBody, ownOrigin());
    expect([status, JSON.parse(body).message.startsWith(beginning)]).toEqual([400, true]);
  });
});
