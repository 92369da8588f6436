import { describe, expect, test } from '@jest/globals';
import { type ClientOptions, createClient } from '../../client/src/index.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';

interface SentRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Returns a client that records its requests and receives the given replies in order. */
function createRecordingClient(
  ...replies: { status?: number; body?: unknown; headers?: Record<string, string> }[]
) {
  const requests: SentRequest[] = [];
  const fetch: ClientOptions['fetch'] = async (url, { signal: _, ...init }) => {
    requests.push({ url, ...init });
    const { status = 200, body = {}, headers = {} } = replies.shift() ?? {};
    return {
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: async () => (status === 304 ? '' : JSON.stringify(body)),
    };
  };
  const client = createClient({ url: 'https://api.example.com/prod/', token: 'x.y.z', fetch });
  return { client, requests };
}

const rows: readonly Operation[] = operations;
const nameOf = ({ id }: Operation) => id.replace('/', '.');

test('The client has one method per operation, plus attachments.upload', () => {
  const { client } = createRecordingClient();
  const { token, ...resources } = client;
  expect(token).toEqual(expect.any(Function));
  const methods = Object.entries(resources).flatMap(([resource, resourceMethods]) =>
    Object.keys(resourceMethods).map((name) => `${resource}.${name}`),
  );
  // `attachments.upload` calls `attachments.create`.
  expect(methods.sort()).toEqual([...rows.map(nameOf), 'attachments.upload'].sort());
});

test.each(rows.map((row) => [nameOf(row), row] as const))(
  '%s sends a request with the method and path of its operation',
  async (name, row) => {
    const { client, requests } = createRecordingClient({ body: { data: [], has_more: false } });
    const [resource = '', verb = ''] = name.split('.');
    const method = Reflect.get(Reflect.get(client, resource), verb);
    const ids = Object.fromEntries(
      [...row.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => [
        parameter,
        `a ${parameter}`,
      ]),
    );
    const call = method(ids);
    await (row.list ? call.page() : call);
    const path = row.path.replace(/\{(\w+)\}/g, (_, parameter) => `a%20${parameter}`);
    const query = row.redirects ? '?redirect=false' : '';
    expect(requests).toMatchObject([
      {
        url: `https://api.example.com/prod${path}${query}`,
        method: row.method,
        headers: { Authorization: 'Bearer x.y.z' },
      },
    ]);
  },
);

describe('A parameter', () => {
  test('is sent in the path, the query or the body, as the operation defines', async () => {
    const { client, requests } = createRecordingClient();
    await client.conversations.update({
      conversation_id: 'c/1',
      is_pinned: true,
      archived_at: null,
      expand: ['contact', 'unread_count'],
    });
    expect(requests).toMatchObject([
      {
        url: 'https://api.example.com/prod/v1/conversations/c%2F1?expand%5B%5D=contact&expand%5B%5D=unread_count',
        headers: { 'Content-Type': 'application/json' },
        body: '{"is_pinned":true,"archived_at":null}',
      },
    ]);
    await client.conversations
      .list({ exclude: ['archived'], contact_id: 'a+b@c', limit: 5 })
      .page();
    expect(requests[1]?.url).toBe(
      'https://api.example.com/prod/v1/conversations?exclude%5B%5D=archived&contact_id=a%2Bb%40c&limit=5',
    );
    expect(requests[1]).not.toHaveProperty('body');
  });

  test.each(['', '.', '..', undefined])(
    'for the path causes a TypeError before any request if it is empty, missing or a dot segment: %j',
    async (id) => {
      const { client, requests } = createRecordingClient();
      const message_id: string = JSON.parse(JSON.stringify({ id })).id;
      await expect(client.messages.delete({ message_id })).rejects.toThrow(TypeError);
      expect(requests).toEqual([]);
    },
  );
});

describe('The result of a call', () => {
  const headers = { ETag: '"7"', 'Request-Id': 'r-1', 'Idempotent-Replayed': 'true' };

  test('is the resource, and withResponse adds the reply’s metadata without another request', async () => {
    const { client, requests } = createRecordingClient({ status: 201, body: { id: 'm' }, headers });
    const call = client.messages.send({ conversation_id: 'c', message: 'x' });
    expect(await call.withResponse()).toMatchObject({
      data: { id: 'm' },
      status: 201,
      etag: '"7"',
      requestId: 'r-1',
      replayed: true,
    });
    expect(await call).toEqual({ id: 'm' });
    expect(requests).toHaveLength(1);
  });

  test('is null if the resource still matches the ETag in `ifNoneMatch`', async () => {
    const { client, requests } = createRecordingClient(
      { status: 304, headers },
      { body: { id: 'm' } },
    );
    const known = { message_id: 'm', peek: true };
    expect(await client.messages.retrieve(known, { ifNoneMatch: '"7"' })).toBeNull();
    expect(await client.messages.retrieve(known, { ifNoneMatch: '"6"' })).toEqual({ id: 'm' });
    await client.messages.update({ message_id: 'm' }, { ifMatch: '"6"' });
    expect(requests.map((one) => [one.headers['If-None-Match'], one.headers['If-Match']])).toEqual([
      ['"7"', undefined],
      ['"6"', undefined],
      [undefined, '"6"'],
    ]);
  });
});

describe('A list', () => {
  const link = (rel: 'next' | 'prev', parameter: string, cursor: string) =>
    `<https://api.example.com/prod/v1/messages?${new URLSearchParams({ limit: '2', [parameter]: cursor })}>; rel="${rel}"`;
  const page = (ids: string[], has_more: boolean, ...links: string[]) => ({
    body: { data: ids.map((id) => ({ id })), has_more },
    headers: { Link: links.join(', ') },
  });

  test('iterates over all items by following the `next` links', async () => {
    const { client, requests } = createRecordingClient(
      page(['d', 'c'], true, link('next', 'starting_after', 'c~7 +é')),
      page(['b', 'a'], false, link('prev', 'ending_before', 'b~5')),
    );
    const ids: string[] = [];
    for await (const { id } of client.messages.list({ conversation_id: 'x', limit: 2 }))
      ids.push(id);
    expect(ids).toEqual(['d', 'c', 'b', 'a']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?conversation_id=x&limit=2',
      `?conversation_id=x&limit=2&starting_after=${encodeURIComponent('c~7 +é')}`,
    ]);
  });

  test('with `ending_before` iterates from old to new by following the `prev` links', async () => {
    const { client, requests } = createRecordingClient(
      page(
        ['c', 'b'],
        true,
        link('prev', 'ending_before', 'c'),
        link('next', 'starting_after', 'b'),
      ),
      page(['e', 'd'], false, link('next', 'starting_after', 'd')),
    );
    const ids: string[] = [];
    const list = client.messages.list({ conversation_id: 'x', ending_before: 'a' });
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['b', 'c', 'd', 'e']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?conversation_id=x&ending_before=a',
      '?conversation_id=x&ending_before=c',
    ]);
  });

  test('iterates from new to old if `ending_before` is undefined', async () => {
    const { client } = createRecordingClient(
      page(['d', 'c'], true, link('next', 'starting_after', 'c')),
      page(['b', 'a'], false),
    );
    const ids: string[] = [];
    const list = client.messages.list({ conversation_id: 'x', ending_before: undefined });
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['d', 'c', 'b', 'a']);
  });

  test('returns single pages with their cursors, and requests only the pages that the caller reads', async () => {
    const { client, requests } = createRecordingClient(
      page(['d', 'c'], true, link('next', 'starting_after', 'c')),
      page(['b', 'a'], false, link('prev', 'ending_before', 'b')),
      page(['d', 'c'], false),
    );
    const list = client.messages.list({ limit: 2 });
    expect(requests).toEqual([]);
    const first = await list.page();
    expect(first).toEqual({
      data: [{ id: 'd' }, { id: 'c' }],
      has_more: true,
      next: { starting_after: 'c' },
      prev: null,
    });
    const second = await list.page(first.next ?? undefined);
    expect(second.prev).toEqual({ ending_before: 'b' });
    await list.page(second.prev ?? undefined);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&starting_after=c',
      '?limit=2&ending_before=b',
    ]);
    const { client: other, requests: otherRequests } = createRecordingClient(
      page(['d', 'c'], true, link('next', 'starting_after', 'c')),
    );
    for await (const _ of other.messages.list({ limit: 2 })) break;
    expect(otherRequests).toHaveLength(1);
  });
});
