import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../commands/api/http-request.ts';
import { writeReferenceFiles } from '../../lib/reference-files.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { type OpenApiDocument, readOperations } from '../../reference/openapi.ts';
import { errorCodes } from '../../shared/contract/errors.ts';
import { operations } from '../../shared/contract/operations.ts';
import { eventTypes } from '../../shared/contract/resources/event.ts';
import { contentSecurityPolicy, type ReferenceFiles } from '../../shared/http/reference-reply.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { fetchRawBytes } from './raw-response.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'reference-'));

let cloud: Cloud;
let files: ReferenceFiles;
let htmlPaths: string[];
beforeAll(async () => {
  writeReferenceFiles(folder);
  files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));
  htmlPaths = Object.keys(files).filter((path) => files[path]?.type.startsWith('text/html'));
  cloud = await startTestCloud();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cloud.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(`${cloud.url}${path}`, { headers });
const readBuilt = (path: string) => readFileSync(join(folder, files[path]?.name ?? ''), 'utf8');

async function asset(name: string, ending: string): Promise<string> {
  const { body } = await get('/docs');
  const [, path = ''] =
    new RegExp(`="(docs/assets/${name}\\.[\\w-]+\\.${ending})"`).exec(body) ?? [];
  return `/${path}`;
}

describe('The reference', () => {
  test('has an HTML page and a Markdown page for each operation', () => {
    const pages = Object.values(files).map(({ name }) => name);
    for (const { summary } of operations) {
      const html = htmlPaths.filter((path) => readBuilt(path).includes(`<h1>${summary}</h1>`));
      expect([summary, html.length]).toEqual([summary, 1]);
      expect(pages).toContain(`${html[0]?.replace('/docs/', '')}.md`);
    }
  });

  test('describes each body field, and shows the non-null type of a nullable field', () => {
    const document: OpenApiDocument = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    const bodies = readOperations(document).map(({ id, body }) => ({
      id,
      fields: body?.fields ?? [],
    }));
    const withoutDescription = bodies.flatMap(({ id, fields }) =>
      fields.filter(({ description }) => description === '').map(({ name }) => `${id} ${name}`),
    );
    expect(withoutDescription).toEqual([]);
    const { fields = [] } = bodies.find(({ id }) => id === 'createConversation') ?? {};
    expect(fields.slice(0, 2)).toMatchObject([
      { name: 'contact_id', type: 'string', required: false },
      { name: 'group_id', type: 'string', required: false },
    ]);
  });

  test('lists the fields of an event, and all values of `type`', () => {
    const document: OpenApiDocument = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    const listEvents = readOperations(document).find(({ id }) => id === 'listEvents');
    const data = listEvents?.reply.fields.find(({ name }) => name === 'data');
    expect(data?.fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'string'],
      ['created_at', 'integer'],
      ['version', 'integer'],
      ['feed', 'string'],
      ['place', 'integer'],
      ['type', eventTypes.join(' or ')],
      ['payload', 'object or null'],
    ]);
  });

  test('lists the operations by resource, starting with messages, conversations and groups', () => {
    const [, navigation = ''] =
      /<nav class="index"([\s\S]*?)<\/nav>/.exec(readBuilt('/docs')) ?? [];
    const groups = Array.from(navigation.matchAll(/<h2>(.+?)<\/h2>/g), ([, title]) => title);
    expect(groups.slice(0, 7)).toEqual([
      'Start',
      'Messages',
      'Conversations',
      'Groups',
      'Contacts',
      'Business listings',
      'Events and push',
    ]);
    const summaries = operations.map(({ summary }) => summary);
    expect(summaries.filter((one) => !navigation.includes(`<span>${one}</span>`))).toEqual([]);
  });

  test('contains every page of docs/ except its index', () => {
    const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const missing = names
      .map((name) => `/docs/${name.replace('.md', '')}`)
      .filter((path) => path !== '/docs/README' && !htmlPaths.includes(path));
    expect(missing).toEqual([]);
  });

  test('has no broken links in its HTML and Markdown pages', () => {
    const ids = (path: string) =>
      Array.from(readBuilt(path).matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    const broken = Object.keys(files).flatMap((path) => {
      const text = readBuilt(path);
      const isPage = htmlPaths.includes(path);
      const links = isPage
        ? text.matchAll(/(?:href|src|data-search)="([^"]+)"/g)
        : path.endsWith('.md')
          ? text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)
          : [];
      return Array.from(links, ([, link = '']) => new URL(link, `http://127.0.0.1:3000${path}`))
        .filter(({ origin }) => origin === 'http://127.0.0.1:3000')
        .filter(({ pathname, hash }) => {
          if (!files[pathname]) return true;
          const html = pathname.replace(/\.md$/, '');
          return hash !== '' && !ids(html).includes(decodeURIComponent(hash.slice(1)));
        })
        .map(({ pathname, hash }) => `${path}: ${pathname}${hash}`);
    });
    expect([...new Set(broken)]).toEqual([]);
  });

  test('links each search entry to an existing page', () => {
    const path = Object.keys(files).find((one) => one.includes('/search.')) ?? '';
    const entries: { title: string; name: string }[] = JSON.parse(readBuilt(path));
    const targets = entries.map(({ name }) =>
      `/docs/${name.replace(/#.*/, '')}`.replace(/\/$/, ''),
    );
    expect(targets.filter((target) => !files[target])).toEqual([]);
    expect(entries.length).toBeGreaterThan(200);
  });

  test('loads at most 150 KB of compressed files per page', async () => {
    const compressed = (path: string) => gzipSync(readBuilt(path)).length;
    const assets = Object.keys(files).filter((path) => path.startsWith('/docs/assets/'));
    const shared = assets.reduce((sum, path) => sum + compressed(path), 0);
    for (const path of htmlPaths) expect(shared + compressed(path)).toBeLessThan(150_000);
  });

  test('has no inline script or style, and loads no resource from another origin', () => {
    for (const path of htmlPaths) {
      const html = readBuilt(path);
      expect(html).not.toMatch(/<style|<script(?! src="[^":]+" defer><\/script>)| style=| on\w+="/);
      expect(html).not.toMatch(/<(?:link|img|script|iframe)[^>]+(?:href|src)="https?:/);
    }
  });

  test('serves an llms.txt that links to the stage’s pages', async () => {
    const { status, headers, body } = await get('/docs/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const links = Array.from(body.matchAll(/\]\((\S+)\)/g), ([, link = '']) => link);
    expect(links.length).toBeGreaterThan(operations.length);
    const replies = await Promise.all(links.map(async (one) => (await sendRequest(one)).status));
    expect(new Set(replies)).toEqual(new Set([200]));
    for (const fact of ['Authorization: Bearer', 'starting_after', 'aws-appsync-event-ws', 'place'])
      expect(body).toContain(fact);
  });
});

describe('The reference of a stage', () => {
  test('is public, and serves every file that its pages link to', async () => {
    for (const page of ['/docs', '/docs/errors', '/docs/sendMessage']) {
      const { status, headers, body } = await get(page);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const named = Array.from(
        body.matchAll(/(?:href|src)="([^"#:]+)"/g),
        ([, one = '']) => new URL(one, `${cloud.url}${page}`).href,
      );
      expect(named.length).toBeGreaterThan(1);
      const replies = await Promise.all(
        named.map(async (one) => [one, (await sendRequest(one)).status]),
      );
      expect(replies).toEqual(named.map((one) => [one, 200]));
    }
  });

  test('forbids inline code and other origins in its content security policy', async () => {
    const { headers } = await get('/docs');
    expect(headers).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';/);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('has a heading for every error, with the error’s code as `id`', async () => {
    const { body } = await get('/docs/errors');
    for (const code of errorCodes) expect(body).toContain(`<h2 id="${code}">`);
  });

  test('inserts its address into samples, forms and openapi.json', async () => {
    const written = readFileSync(join(root, 'openapi.json'), 'utf8');
    const { body } = await get('/docs/openapi.json');
    expect(JSON.parse(body)).toEqual(
      JSON.parse(written.replaceAll('http://127.0.0.1:3000', cloud.url)),
    );
    for (const path of ['/docs', '/docs/sendMessage', '/docs/sendMessage.md', '/docs/errors']) {
      const page = await get(path);
      expect(page.body).toContain(cloud.url);
      expect(page.body).not.toContain('127.0.0.1:3000');
    }
  });

  test('redirects a path with a trailing slash, which would break relative links', async () => {
    const { status, headers } = await get('/docs/');
    expect([status, headers.location]).toEqual([308, `${cloud.url}/docs`]);
  });

  test('does not repeat a malformed Host header in a redirect', async () => {
    const { status, headers } = await get('/docs/', { Host: 'a.example/"><script>' });
    expect([status, headers.location]).toEqual([308, expect.not.stringContaining('script')]);
  });

  test.each([
    '/docs/nothing',
    '/docs/assets/nothing.js',
    '/docs/assets/..%2Ffiles.json',
    '/docs/toString',
  ])('returns the API’s not_found error for %s', async (path) => {
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
    'requested with Accept-Encoding %j has Content-Encoding %s and the same text and ETag',
    async (accepted, encoding, decode) => {
      for (const path of [await asset('site', 'js'), '/docs/errors', '/docs/openapi.json']) {
        const { headers, bytes } = await fetchRawBytes(`${cloud.url}${path}`, accepted);
        expect(headers['content-encoding']).toBe(encoding);
        expect(headers.vary).toBe('Accept-Encoding');
        const plain = await get(path);
        expect(decode(bytes).toString()).toBe(plain.body);
        expect(headers.etag).toBe(plain.headers.etag);
      }
    },
  );

  test('is smaller than 500 kB, far below the reply limits of Lambda and API Gateway', () => {
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    // Lambda allows at most 6 MB for the reply as JSON; API Gateway allows at most 10 MB.
    expect(Math.max(...sizes)).toBeLessThan(500_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_000_000);
  });

  test('is cached as immutable if its name contains its hash', async () => {
    for (const ending of ['js', 'css', 'json']) {
      const path = await asset(ending === 'json' ? 'search' : 'site', ending);
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test('requested with an outdated hash returns the current version with no-cache', async () => {
    const current = await asset('site', 'js');
    const path = current.replace(/\.[\w-]{16}\./, '.0123456789abcdef.');
    const { status, headers, body } = await get(path);
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(body).toBe((await get(current)).body);
  });

  test.each(['/docs', '/docs/errors', '/docs/api', '/docs/openapi.json'])(
    'at %s is revalidated by its ETag',
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

  test('returns the same headers for HEAD as for GET, without a body', async () => {
    for (const path of ['/docs', '/docs/errors', await asset('site', 'css')]) {
      const { status, headers } = await get(path);
      const head = await sendRequest(`${cloud.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.body]).toEqual([status, '']);
      for (const name of ['etag', 'content-type', 'cache-control', 'content-security-policy']) {
        expect([name, head.headers[name]]).toEqual([name, headers[name]]);
      }
    }
  });
});
