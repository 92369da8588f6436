import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  ApiError,
  type ClientOptions,
  createClient,
  FileReadError,
  NoReplyError,
  putFile,
  type UploadOptions,
} from '../../client/src/index.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { captureTimers } from './support/capture-timers.ts';
import {
  type FaultyServer,
  type ServerBehavior,
  startFaultyServer,
} from './support/faulty-server.ts';

/** Simulates the API and S3. */
let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer();
});
afterAll(() => server.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const created = (number = 1): ServerBehavior => ({
  status: 201,
  body: {
    id: 'a1',
    upload: {
      method: 'PUT',
      url: `${server.url}/files/a1?signature=${number}`,
      headers: { 'content-type': 'text/plain', 'if-none-match': '*' },
    },
  },
});
const stored: ServerBehavior = { status: 200 };
const refused = (status: number, code: string): ServerBehavior => ({
  status,
  body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message><RequestId>r1</RequestId></Error>`,
});

const hello = new File(['Hello'], 'a.txt', { type: 'text/plain' });
const upload = (
  file: Blob | Uint8Array = hello,
  options: Partial<UploadOptions> = {},
  clientOptions: Partial<ClientOptions> = {},
) => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const client = createClient({ url: server.url, token: 'x', ...clientOptions });
  return client.attachments.upload(file, { conversation_id: 'c', ...options });
};
const getPaths = () => server.received.map(({ method, url }) => `${method} ${url}`);
const getBody = (n = 0) => JSON.parse(server.received[n]?.body ?? '');
const getKeys = () => [
  ...new Set(server.received.map(({ headers }) => headers['idempotency-key'] ?? 'none')),
];

const createPath = 'POST /v1/attachments';
const putPath = (number: number) => `PUT /files/a1?signature=${number}`;

describe('An upload', () => {
  test('creates an attachment with the file’s metadata, sends the file with the returned headers, and returns the attachment', async () => {
    server.respondWith(created(), stored);
    const progress: number[][] = [];
    const options: Partial<UploadOptions> = {
      onProgress: ({ loaded, total }) => progress.push([loaded, total]),
    };
    expect(await upload(hello, options)).toMatchObject({ id: 'a1' });
    expect(getPaths()).toEqual([createPath, putPath(1)]);
    expect(getBody()).toEqual({
      ...{ conversation_id: 'c', name: 'a.txt', type: 'text/plain', size: 5 },
      sha256: createHash('sha256').update('Hello').digest('base64'),
    });
    const [, put] = server.received;
    expect(put).toMatchObject({ body: 'Hello' });
    expect(put?.headers).toMatchObject({
      ...{ 'content-type': 'text/plain', 'if-none-match': '*', 'content-length': '5' },
    });
    expect(put?.headers).not.toHaveProperty('authorization');
    expect(progress).toEqual([[5, 5]]);
  });

  test.each<[string, Blob | Uint8Array, Partial<UploadOptions>, string, string]>([
    ['a byte array', Buffer.from('Hello'), {}, 'file', 'application/octet-stream'],
    ['a blob', new Blob(['x'], { type: 'Text/HTML; charset=utf-8' }), {}, 'file', 'text/html'],
    [
      'a file whose type the API rejects',
      new File(['x'], 'a/b\\c', { type: 'x-a/b' }),
      {},
      'a_b_c',
      '',
    ],
    [
      'a file with an explicit name and type',
      hello,
      { name: 'b.md', type: 'text/markdown' },
      'b.md',
      'text/markdown',
    ],
  ])('sends a valid name and type for %s', async (_, file, options, name, type) => {
    server.respondWith(created(), stored);
    await upload(file, options);
    expect(getBody()).toMatchObject({ name, type: type || 'application/octet-stream' });
  });

  test('uses the caller’s `sha256` without reading the file', async () => {
    server.respondWith(created(), stored);
    const file = new Blob(['Hello']);
    file.arrayBuffer = () => Promise.reject(new Error('not here'));
    await upload(file, { sha256: 'given' });
    expect(getBody()).toMatchObject({ sha256: 'given' });
    await expect(upload(file)).rejects.toThrow(FileReadError);
  });
});

describe('After a failure, an upload', () => {
  test('sends the whole file again to a new URL of the same attachment, and treats 412 as success', async () => {
    server.respondWith(
      ...[created(1), 'cuts' as const],
      ...[created(2), refused(503, 'SlowDown')],
      ...[created(3), refused(412, 'PreconditionFailed')],
    );
    expect(await upload()).toMatchObject({ id: 'a1' });
    expect(getPaths()).toEqual([1, 2, 3].flatMap((number) => [createPath, putPath(number)]));
    expect(getKeys()).toHaveLength(2);
    expect([getBody(2), getBody(4)]).toEqual([getBody(0), getBody(0)]);
    expect(server.received.at(-1)?.body).toBe('Hello');
  });

  test.each([
    ['its URL has expired', 403, 'AccessDenied'],
    ['S3 is storing another attempt', 409, 'ConditionalRequestConflict'],
    ['S3 timed out waiting for the file', 400, 'RequestTimeout'],
  ])('succeeds on the next attempt if %s', async (_, status, code) => {
    server.respondWith(created(1), refused(status, code), created(2), stored);
    await upload();
    expect(getPaths().at(-1)).toBe(putPath(2));
  });

  test('throws S3’s error if a retry cannot help, or after the last attempt', async () => {
    server.respondWith(created(), refused(400, 'BadDigest'));
    const error = await upload().catch((cause) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'BadDigest',
      status: 400,
      message: 'No.',
      requestId: 'r1',
    });
    expect(server.received).toHaveLength(2);

    server.respondWith(created(1), refused(403, 'AccessDenied'), created(2), refused(403, 'Last'));
    await expect(upload(hello, { retries: 1 })).rejects.toMatchObject({ code: 'Last' });
    server.respondWith(created(), 'cuts');
    await expect(upload(hello, {}, { retries: 0 })).rejects.toThrow(NoReplyError);
    server.respondWith({ status: 422, body: { code: 'uploads_exceeded', message: 'Tomorrow.' } });
    await expect(upload()).rejects.toMatchObject({ code: 'uploads_exceeded' });
    expect(server.received).toHaveLength(1);
  });

  test('is resumed by another call with the same idempotency key', async () => {
    server.respondWith(created(1), 'cuts');
    const options = { idempotencyKey: 'photo-7' };
    await expect(upload(hello, { ...options, retries: 0 })).rejects.toThrow(NoReplyError);
    server.respondWith(created(2), stored);
    await upload(hello, options);
    expect(getKeys()).toEqual(['photo-7', 'none']);
  });
});

test('Without XMLHttpRequest, an upload fails after the timeout plus a second per 10 kB', async () => {
  const timers = captureTimers();
  server.respondWith(created(), 'hangs');
  const uploading = upload(new Blob(['x'.repeat(500)]), { retries: 0, timeout: 60_000 });
  await waitUntil(() => server.received.length === 2);
  timers.fire(60_000 + 50);
  await expect(uploading).rejects.toMatchObject({ name: 'NoReplyError', reason: 'timeout' });
});

test('A file is read again only after an attempt to send it has failed', async () => {
  const file = new Blob(['Hello']);
  const reading = jest.spyOn(file, 'arrayBuffer');
  const attempt = () => upload(file, { retries: 0 }).catch((cause) => cause.name);
  server.respondWith('cuts');
  for (const _ of [1, 2, 3]) expect(await attempt()).toBe('NoReplyError');
  expect(reading).toHaveBeenCalledTimes(1);
  server.respondWith(created(), 'cuts');
  expect(await attempt()).toBe('NoReplyError');
  expect(reading).toHaveBeenCalledTimes(1);
  reading.mockRejectedValue(new Error('changed'));
  expect(await attempt()).toBe('FileReadError');
});

describe('An aborted upload', () => {
  test.each<[string, number]>([
    ['before the first request', 0],
    ['while the API hangs', 1],
    ['while S3 hangs', 2],
  ])('rejects with the reason and sends no further request: %s', async (_, requests) => {
    server.respondWith(...(requests === 2 ? [created()] : []), 'hangs');
    const controller = new AbortController();
    const reason = new Error('Changed my mind.');
    if (requests === 0) controller.abort(reason);
    const uploading = upload(hello, { signal: controller.signal }).catch((cause) => cause);
    await waitUntil(() => server.received.length === requests);
    controller.abort(reason);
    expect(await uploading).toBe(reason);
    expect(server.received).toHaveLength(requests);
  });
});

describe('With XMLHttpRequest, an upload', () => {
  class FakeRequest {
    static last: FakeRequest | undefined;
    status = 0;
    responseText = '';
    upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null };
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    onabort: (() => void) | null = null;
    headers: string[][] = [];
    sent: unknown;
    open = () => {};
    setRequestHeader = (...header: string[]) => this.headers.push(header);
    send = (body: unknown) => {
      this.sent = body;
      FakeRequest.last = this;
    };
    abort = () => this.onabort?.();
  }
  const start = async (options: Partial<UploadOptions> = {}) => {
    FakeRequest.last = undefined;
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest });
    server.respondWith(created());
    const progress: number[] = [];
    const result = upload(hello, {
      ...{ retries: 0, onProgress: ({ loaded }: { loaded: number }) => progress.push(loaded) },
      ...options,
    }).catch((cause) => cause);
    await waitUntil(() => FakeRequest.last !== undefined);
    const request = FakeRequest.last ?? new FakeRequest();
    return { request, result, progress };
  };
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
  });

  test('reports progress while the file is sent', async () => {
    const { request, result, progress } = await start();
    expect(request.headers).toEqual([
      ['content-type', 'text/plain'],
      ['if-none-match', '*'],
    ]);
    expect(request.sent).toBe(hello);
    request.upload.onprogress?.({ loaded: 2 });
    request.upload.onprogress?.({ loaded: 5 });
    request.status = 200;
    request.onload?.();
    expect(await result).toMatchObject({ id: 'a1' });
    expect(progress).toEqual([2, 5]);
  });

  test('fails if it makes no progress within the timeout, or if the network fails', async () => {
    const timers = captureTimers();
    const stalled = await start({ timeout: 60_000 });
    timers.fire(60_000);
    expect(await stalled.result).toMatchObject({ name: 'NoReplyError', reason: 'timeout' });
    const disconnected = await start();
    disconnected.request.onerror?.();
    expect(await disconnected.result).toMatchObject({ name: 'NoReplyError', reason: 'network' });
  });

  test('rejects with the signal’s reason when the signal aborts', async () => {
    const controller = new AbortController();
    const { result } = await start({ signal: controller.signal });
    const reason = new Error('Changed my mind.');
    controller.abort(reason);
    expect(await result).toBe(reason);
  });

  test('through a direct call to `putFile` rejects with the signal’s reason when the signal aborts', async () => {
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest });
    const controller = new AbortController();
    const target = { method: 'PUT' as const, url: server.url, headers: {} };
    const options = { signal: controller.signal, timeout: 60_000, onProgress: () => {} };
    const sent = putFile(target, hello, options).catch((cause) => cause);
    const reason = new Error('Changed my mind.');
    controller.abort(reason);
    expect(await sent).toBe(reason);
  });
});
