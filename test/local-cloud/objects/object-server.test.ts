import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type ObjectServer,
  startObjectServer,
} from '../../../local-cloud/objects/object-server.ts';
import { type ObjectStore, openObjectStore } from '../../../local-cloud/objects/object-store.ts';
import type { Caller } from '../../../local-cloud/stack/caller.ts';

const bucket = {
  name: 'files',
  arn: 'arn:aws:s3:::files',
  corsRules: [
    {
      AllowedHeaders: ['content-type', 'if-none-match', 'x-amz-checksum-sha256', 'x-amz-tagging'],
      AllowedMethods: ['PUT'],
      AllowedOrigins: ['https://app.example.com'],
      ExposedHeaders: [],
      MaxAge: 3600,
    },
    {
      AllowedHeaders: [],
      AllowedMethods: ['GET'],
      AllowedOrigins: ['*'],
      ExposedHeaders: [],
      MaxAge: undefined,
    },
  ],
  deniesReplacing: true,
};

const toCaller = (functionId: string, ...actions: string[]): [string, Caller] => [
  functionId,
  {
    functionId,
    session: `arn:aws:sts::000000000000:assumed-role/${functionId}`,
    decide: (action, resource) =>
      actions.includes(action) && resource.startsWith(bucket.arn) ? 'allow' : 'no policy allows it',
  },
];
const callers = new Map([
  toCaller(
    'owner',
    ...['s3:PutObject', 's3:PutObjectTagging', 's3:GetObject', 's3:ListBucket'],
    ...['s3:DeleteObject', 's3:DeleteObjectTagging', 's3:GetObjectTagging'],
  ),
  toCaller('uploader', 's3:PutObject'),
  toCaller('reader', 's3:GetObject'),
]);

describe('In the local S3,', () => {
  let directory: string;
  let server: ObjectServer;
  let store: ObjectStore;
  let now = Date.now();
  const createClient = (accessKeyId: string) =>
    new S3Client({
      endpoint: new URL(server.variables.FILES_URL ?? '').origin,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey: 'local' },
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  const start = async () => {
    store = await openObjectStore(directory);
    server = await startObjectServer({ bucket, store, callers, now: () => now });
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'objects-'));
    await start();
  });

  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  beforeEach(() => {
    now = Date.now();
  });

  const toSha256 = (body: string | Buffer) => createHash('sha256').update(body).digest('base64');

  /** Returns the URL and headers that AWS's presigner signs for exactly this body. */
  async function presign(Key: string, body: string, as = 'owner') {
    const headers = {
      'content-type': 'text/plain',
      'if-none-match': '*',
      'x-amz-checksum-sha256': toSha256(body),
      'x-amz-tagging': 'state=pending',
    };
    const command = new PutObjectCommand({
      Bucket: bucket.name,
      Key,
      ContentType: headers['content-type'],
      ContentLength: Buffer.byteLength(body),
      IfNoneMatch: '*',
      ChecksumSHA256: headers['x-amz-checksum-sha256'],
      Tagging: headers['x-amz-tagging'],
    });
    const url = await getSignedUrl(createClient(as), command, {
      expiresIn: 900,
      signableHeaders: new Set(['content-type', 'content-length', 'if-none-match', 'host']),
      unhoistableHeaders: new Set(['x-amz-checksum-sha256', 'x-amz-tagging']),
    });
    return { url, headers };
  }

  const put = async (url: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(url, { method: 'PUT', headers, body });
    const text = await response.text();
    return { status: response.status, code: /<Code>(\w+)/.exec(text)?.[1] };
  };

  test('the first upload to a presigned URL stores the signed bytes, and a second upload is refused', async () => {
    const { url, headers } = await presign('a/1', 'hello');
    expect(await put(url, headers, 'hello')).toEqual({ status: 200, code: undefined });
    expect(await put(url, headers, 'hello')).toEqual({ status: 412, code: 'PreconditionFailed' });
    const found = await createClient('owner').send(
      new GetObjectCommand({ Bucket: bucket.name, Key: 'a/1' }),
    );
    expect(await found.Body?.transformToString()).toBe('hello');
    expect(await store.find('a/1')).toMatchObject({ type: 'text/plain', tags: 'state=pending' });
  });

  describe('an upload is refused and stores nothing if', () => {
    const none: Record<string, string> = {};
    test.each<[string, Record<string, string>, string, number, string]>([
      ['the body has other bytes of the same length', none, 'jello', 400, 'BadDigest'],
      ['the body is longer', none, 'hello!', 403, 'SignatureDoesNotMatch'],
      ['the body is shorter', none, 'hell', 403, 'SignatureDoesNotMatch'],
      ['the type differs', { 'content-type': 'text/html' }, 'hello', 403, 'SignatureDoesNotMatch'],
      [
        'the checksum differs',
        { 'x-amz-checksum-sha256': toSha256('jello') },
        'jello',
        403,
        'SignatureDoesNotMatch',
      ],
      ['the tags differ', { 'x-amz-tagging': 'state=kept' }, 'hello', 403, 'SignatureDoesNotMatch'],
      ['an x-amz header is unsigned', { 'x-amz-acl': 'public-read' }, 'hello', 403, 'AccessDenied'],
    ])('%s', async (_title, changed, body, status, code) => {
      const { url, headers } = await presign('bad/1', 'hello');
      expect(await put(url, { ...headers, ...changed }, body)).toEqual({ status, code });
      expect(await store.find('bad/1')).toBeUndefined();
    });

    test.each(['if-none-match', 'x-amz-checksum-sha256', 'x-amz-tagging', 'content-type'])(
      'the header %s is missing',
      async (name) => {
        const { url, headers } = await presign('bad/2', 'hello');
        const others = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
        expect((await put(url, others, 'hello')).status).toBe(403);
        expect(await store.find('bad/2')).toBeUndefined();
      },
    );

    test('the URL has expired, is not valid yet, or has an invalid date', async () => {
      const { url, headers } = await presign('bad/3', 'hello');
      const refused = { status: 403, code: 'AccessDenied' };
      now = Date.now() + 3_600_000;
      expect(await put(url, headers, 'hello')).toEqual(refused);
      now = Date.now() - 3_600_000;
      expect(await put(url, headers, 'hello')).toEqual(refused);
      const undated = url.replace(/X-Amz-Date=\w+/, 'X-Amz-Date=today');
      expect(await put(undated, headers, 'hello')).toEqual(refused);
    });

    test('the URL is for another object key, or was signed with an unknown access key or by a role that may not tag', async () => {
      const { url, headers } = await presign('bad/4', 'hello');
      const other = url.replace('bad/4', 'bad/5');
      expect(await put(other, headers, 'hello')).toMatchObject({ code: 'SignatureDoesNotMatch' });
      const stranger = await presign('bad/4', 'hello', 'stranger');
      expect(await put(stranger.url, headers, 'hello')).toMatchObject({
        code: 'InvalidAccessKeyId',
      });
      const uploader = await presign('bad/4', 'hello', 'uploader');
      expect(await put(uploader.url, headers, 'hello')).toMatchObject({ code: 'AccessDenied' });
    });

    test('the request is signed, but has no If-None-Match header', async () => {
      const client = createClient('owner');
      const write = new PutObjectCommand({ Bucket: bucket.name, Key: 'bad/6', Body: 'hello' });
      await expect(client.send(write)).rejects.toMatchObject({ name: 'AccessDenied' });
    });
  });

  test('the AWS SDK can put, head, list, untag and delete objects', async () => {
    const client = createClient('owner');
    const body = randomBytes(100_000);
    for (const Key of ['list/2', 'list/1', 'list/3']) {
      const write = { Bucket: bucket.name, Key, Body: body, IfNoneMatch: '*', Tagging: 'a=b' };
      await client.send(new PutObjectCommand({ ...write, ChecksumSHA256: toSha256(body) }));
    }
    const at = { Bucket: bucket.name, Key: 'list/1' };
    expect(await client.send(new HeadObjectCommand(at))).toMatchObject({ ContentLength: 100_000 });
    const list = { Bucket: bucket.name, Prefix: 'list/', MaxKeys: 2 };
    const page = await client.send(new ListObjectsV2Command(list));
    expect(page.Contents?.map(({ Key }) => Key)).toEqual(['list/1', 'list/2']);
    const ContinuationToken = page.NextContinuationToken;
    const next = await client.send(new ListObjectsV2Command({ ...list, ContinuationToken }));
    expect(next.Contents?.map(({ Key }) => Key)).toEqual(['list/3']);

    const { tags: stored = '' } = (await store.find('list/1')) ?? {};
    const { TagSet } = await client.send(new GetObjectTaggingCommand(at));
    expect(TagSet).toEqual(
      [...new URLSearchParams(stored)].map(([Key, Value]) => ({ Key, Value })),
    );
    expect(TagSet).not.toEqual([]);
    await client.send(new DeleteObjectTaggingCommand(at));
    expect(await client.send(new GetObjectTaggingCommand(at))).toMatchObject({ TagSet: [] });
    expect(await store.find('list/1')).toMatchObject({ tags: '' });
    await client.send(new DeleteObjectCommand(at));
    await client.send(new DeleteObjectCommand(at));
    const missing = new DeleteObjectTaggingCommand(at);
    await expect(client.send(missing)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('reading a missing object returns NoSuchKey to roles that may list the bucket, and AccessDenied to others', async () => {
    const read = new GetObjectCommand({ Bucket: bucket.name, Key: 'none' });
    await expect(createClient('owner').send(read)).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(createClient('reader').send(read)).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('a presigned URL sets the content type and disposition of a download, and cannot be altered', async () => {
    const { url, headers } = await presign('down/1', '<b>hello</b>');
    await put(url, headers, '<b>hello</b>');
    const command = new GetObjectCommand({
      Bucket: bucket.name,
      Key: 'down/1',
      ResponseContentDisposition: 'attachment; filename="a b.txt"',
      ResponseContentType: 'application/octet-stream',
    });
    const signed = await getSignedUrl(createClient('reader'), command, { expiresIn: 300 });
    const response = await fetch(signed);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a b.txt"');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(await response.text()).toBe('<b>hello</b>');
    const changed = await fetch(signed.replace('octet-stream', 'pdf'));
    expect(changed.status).toBe(403);
  });

  test('CORS permits uploads from the listed origins, and downloads from any origin', async () => {
    const sendPreflight = async (origin: string, method: string, names = 'if-none-match') => {
      const response = await fetch(`${server.variables.FILES_URL}/a`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': names,
        },
      });
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    const app = 'https://app.example.com';
    expect(await sendPreflight(app, 'PUT')).toEqual([200, app]);
    expect(await sendPreflight(app, 'PUT', 'x-amz-acl')).toEqual([403, null]);
    expect(await sendPreflight(app, 'DELETE')).toEqual([403, null]);
    expect(await sendPreflight('https://other.example', 'PUT')).toEqual([403, null]);
    expect(await sendPreflight('null', 'GET', '')).toEqual([200, '*']);
  });

  test('a restart retains objects, and removes the bytes of an interrupted upload', async () => {
    const { url, headers } = await presign('kept/1', 'hello');
    await put(url, headers, 'hello');
    const files = async () => (await readdir(join(directory, 'bytes'))).length;
    const before = await files();
    await writeFile(store.createFile(), 'half');
    await server.stop();
    await start();
    expect(await files()).toBe(before);
    expect(await store.find('kept/1')).toMatchObject({ size: 5 });
  });
});
