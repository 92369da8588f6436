import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../commands/verify/target/http-request.ts';
import { writeReferenceFiles } from '../../lib/reference-files.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { errorCodes } from '../../shared/contract/errors.ts';
import { env } from '../../shared/env.ts';
import { contentSecurityPolicy } from '../../shared/http/reference-reply.ts';
import { fetchRawBytes } from './raw-response.ts';

const root = join(import.meta.dirname, '../..');

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud({
    port: 0,
    inMemory: true,
    dataDirectory: join(root, '.local/test/reference'),
    assembly: await readAssembly(env('TEST_ASSEMBLY')),
  });
});
afterAll(() => cloud.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(`${cloud.url}${path}`, { headers });

/** Returns the path of the asset whose name has that prefix. */
async function asset(name: string): Promise<string> {
  const { body } = await get('/docs');
  const [, path = ''] = new RegExp(`(?:src|href)="(docs/assets/${name}\\.[^"]+)"`).exec(body) ?? [];
  return `/${path}`;
}

describe('The reference of a stage', () => {
  test('is there for anybody, and all that its pages name is there too', async () => {
    for (const page of ['/docs', '/docs/errors']) {
      const { status, headers, body } = await get(page);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const named = Array.from(
        body.matchAll(/(?:href|src)="([^"#:]+)"/g),
        ([, one = '']) => new URL(one, `${cloud.url}${page}`).href,
      );
      expect(named.length).toBeGreaterThan(1);
      const answers = await Promise.all(
        named.map(async (one) => [one, (await sendRequest(one)).status]),
      );
      expect(answers).toEqual(named.map((one) => [one, 200]));
    }
  });

  test('lets its pages do nothing but what they are for', async () => {
    const { headers } = await get('/docs');
    expect(headers).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';/);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('says of every error what it means, without JavaScript, at the id that it is called by', async () => {
    const { body } = await get('/docs/errors');
    expect(body).not.toContain('<script');
    const ids = Array.from(body.matchAll(/<section id="([^"]+)">/g), ([, id]) => id);
    expect(ids).toEqual(errorCodes);
  });

  test('gives openapi.json, with the address by which it was asked', async () => {
    const written = readFileSync(join(root, 'openapi.json'), 'utf8');
    const { body } = await get('/docs/openapi.json');
    expect(JSON.parse(body)).toEqual(
      JSON.parse(written.replaceAll('http://127.0.0.1:3000', cloud.url)),
    );
    expect(body).not.toContain('127.0.0.1:3000');
  });

  test('sends back from a slash at the end, where addresses within the page would be others', async () => {
    const { status, headers } = await get('/docs/');
    expect([status, headers.location]).toEqual([308, `${cloud.url}/docs`]);
  });

  test('A redirect does not repeat a malformed Host header', async () => {
    const { status, headers } = await get('/docs/', { Host: 'a.example/"><script>' });
    expect([status, headers.location]).toEqual([308, expect.not.stringContaining('script')]);
  });

  test.each([
    '/docs/nothing',
    '/docs/assets/nothing.js',
    '/docs/assets/..%2Ffiles.json',
    '/docs/toString',
  ])('has nothing at %s, and says so as the API does', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({
      code: 'not_found',
      request_id: headers['request-id'],
      documentation_url: `${cloud.url}/docs/errors#not_found`,
    });
  });
});

describe('A file of the reference', () => {
  test.each([
    ['gzip, deflate, br', 'gzip', gunzipSync],
    ['deflate', 'deflate', inflateSync],
    ['br', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ])(
    'requested with Accept-Encoding %j is encoded by the gateway as %s, with the same text and ETag',
    async (accepted, encoding, decode) => {
      for (const path of [await asset('swagger-ui-bundle'), '/docs/errors', '/docs/openapi.json']) {
        const { headers, bytes } = await fetchRawBytes(`${cloud.url}${path}`, accepted);
        expect(headers['content-encoding']).toBe(encoding);
        expect(headers.vary).toBe('Accept-Encoding');
        const plain = await get(path);
        expect(decode(bytes).toString()).toBe(plain.body);
        expect(headers.etag).toBe(plain.headers.etag);
      }
    },
  );

  test("is far below Lambda's and API Gateway's limits for a reply", () => {
    const folder = mkdtempSync(join(tmpdir(), 'reference-'));
    writeReferenceFiles(folder);
    const sizes = readdirSync(folder).map(
      (name) => JSON.stringify(readFileSync(join(folder, name), 'utf8')).length,
    );
    rmSync(folder, { recursive: true });
    // Lambda counts the reply as JSON, and allows 6 MB; API Gateway allows 10 MB.
    expect(Math.max(...sizes)).toBeLessThan(3_000_000);
  });

  test('that never changes is kept for good, by an address that has its hash', async () => {
    for (const name of ['swagger-ui-bundle', 'swagger-ui', 'reference']) {
      const { headers } = await get(await asset(name));
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test('of another version is given as it is now, and not to be kept under that name', async () => {
    const path = (await asset('swagger-ui-bundle')).replace(/\.[\w-]{16}\./, '.0123456789abcdef.');
    const { status, headers, body } = await get(path);
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(body.length).toBeGreaterThan(1_000_000);
  });

  test.each(['/docs', '/docs/errors', '/docs/openapi.json'])(
    'at %s is asked for again, and is the same until it changes',
    async (path) => {
      const { headers } = await get(path);
      expect(headers['cache-control']).toBe('no-cache');
      const again = await get(path, { 'If-None-Match': headers.etag ?? '' });
      expect([again.status, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
      const other = await get(path, { 'If-None-Match': '"another"' });
      expect(other.status).toBe(200);
      const strong = (headers.etag ?? '').replace(/^W\//, '');
      expect((await get(path, { 'If-None-Match': strong })).status).toBe(304);
    },
  );

  test('can be asked after by HEAD, which tells the same and gives nothing', async () => {
    for (const path of ['/docs', '/docs/errors', await asset('reference')]) {
      const { status, headers } = await get(path);
      const head = await sendRequest(`${cloud.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.body]).toEqual([status, '']);
      for (const name of ['etag', 'content-type', 'cache-control', 'content-security-policy']) {
        expect([name, head.headers[name]]).toEqual([name, headers[name]]);
      }
    }
  });
});
