import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { toErrorMessage } from '../../lib/problem.ts';
import { region } from '../account.ts';
import { listen } from '../listen.ts';
import type { Caller, Callers } from '../stack/caller.ts';
import type { Bucket } from './buckets.ts';
import { getCorsHeaders } from './cors-headers.ts';
import { findObjectCaller, type SignedCaller } from './find-object-caller.ts';
import { toListing } from './list-objects.ts';
import type { ObjectMetadata, ObjectStore } from './object-store.ts';
import { receiveObject } from './receive-object.ts';
import { accessDenied, escapeXml, notImplemented, S3Error } from './s3-error.ts';

export interface ObjectServerOptions {
  bucket: Omit<Bucket, 'publishesEvents'>;
  store: ObjectStore;
  callers: Callers;
  /** Region of valid signatures; by default, the local cloud's region. */
  region?: string;
  /** Returns milliseconds since 1970; `Date.now` by default. */
  now?: () => number;
  /** Called after an upload. The reply to the upload waits for the returned promise. */
  onStored?: ((key: string) => Promise<void>) | undefined;
}

type FilledOptions = ObjectServerOptions & {
  region: string;
  now: () => number;
  onStored: (key: string) => Promise<void>;
};

export interface ObjectServer {
  /** Environment variables that pass the bucket's address to the stack's functions. */
  variables: Readonly<Record<string, string>>;
  endpoint: string;
  stop(): Promise<void>;
}

/** Serves one bucket. Supports path-style URLs and the part of S3's API that the stack uses. */
export async function startObjectServer(options: ObjectServerOptions): Promise<ObjectServer> {
  const { bucket } = options;
  const { now = Date.now, region: signedRegion = region, onStored = async () => {} } = options;
  const filled = { ...options, now, region: signedRegion, onStored };
  const server = createServer((request, response) => {
    // Clients use this header to correct their clocks.
    response.setHeader('date', new Date(filled.now()).toUTCString());
    const cors = getCorsHeaders(bucket.corsRules, request.method ?? '', request.headers);
    serve(request, response, filled, cors).catch((error) => {
      const known =
        error instanceof S3Error ? error : new S3Error(500, 'InternalError', toErrorMessage(error));
      if (response.headersSent) response.destroy();
      else send(response, known.status, { 'content-type': 'application/xml', ...cors }, known);
      // Drops the rest of a refused upload.
      if (!request.complete) response.once('finish', () => request.destroy());
    });
  });
  const { port, close } = await listen(server, 0);
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, variables: { FILES_URL: `${endpoint}/${bucket.name}` }, stop: close };
}

type Headers = Record<string, string>;

function send(response: ServerResponse, status: number, headers: Headers, error?: S3Error) {
  response.writeHead(status, headers);
  response.end(error?.toXml());
}

interface Target extends SignedCaller {
  url: URL;
  key: string;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: FilledOptions,
  cors: Headers | undefined,
): Promise<void> {
  const { bucket, callers, now } = options;
  if (request.method === 'OPTIONS') return handlePreflight(request, response, bucket);
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const [, bucketName, ...rest] = url.pathname.split('/');
  if (bucketName !== bucket.name) throw new S3Error(404, 'NoSuchBucket', 'No such bucket.');
  const signed = findObjectCaller(request, url, { callers, region: options.region, now: now() });
  const target = { ...signed, url, key: decodeURIComponent(rest.join('/')) };
  const { status, headers, body } = await handleRequest(request, target, options);
  response.writeHead(status, { ...headers, ...cors });
  if (typeof body === 'string' || !body) response.end(body);
  else await pipeline(body, response);
}

function handlePreflight(
  request: IncomingMessage,
  response: ServerResponse,
  { corsRules }: Pick<Bucket, 'corsRules'>,
): void {
  const method = String(request.headers['access-control-request-method']);
  const cors = getCorsHeaders(corsRules, method, request.headers);
  if (!cors) throw new S3Error(403, 'AccessForbidden', 'CORSResponse: no rule allows the request.');
  send(response, 200, cors);
}

interface Reply {
  status: number;
  headers?: Headers;
  body?: string | NodeJS.ReadableStream;
}

async function handleRequest(
  request: IncomingMessage,
  { caller, bodyHash, url, key }: Target,
  { bucket, store, now, onStored }: FilledOptions,
): Promise<Reply> {
  const require = (action: string) =>
    requirePermission(caller, action, key === '' ? bucket.arn : `${bucket.arn}/${key}`);
  const isTagging = url.searchParams.has('tagging');
  const find = async () => (await store.find(key)) ?? throwMissing(caller, bucket);
  const operation = `${request.method} ${key === '' ? 'bucket' : isTagging ? 'tags' : 'object'}`;
  switch (operation) {
    case 'PUT object': {
      require('s3:PutObject');
      if (request.headers['x-amz-tagging'] !== undefined) require('s3:PutObjectTagging');
      const { deniesReplacing } = bucket;
      const options = { store, bodyHash, deniesReplacing, now: now() };
      const { sha256 } = await receiveObject(request, key, options);
      await onStored(key);
      return { status: 200, headers: { etag: `"${sha256}"`, 'x-amz-checksum-sha256': sha256 } };
    }
    case 'GET object': {
      require('s3:GetObject');
      const metadata = await find();
      const body = (await store.read(metadata)) ?? throwMissing(caller, bucket);
      return { status: 200, headers: toObjectHeaders(metadata, url.searchParams), body };
    }
    case 'HEAD object':
      require('s3:GetObject');
      return { status: 200, headers: toObjectHeaders(await find(), url.searchParams) };
    case 'DELETE object':
      require('s3:DeleteObject');
      await store.remove(key);
      return { status: 204 };
    case 'GET tags': {
      require('s3:GetObjectTagging');
      const { tags } = await find();
      return { status: 200, body: toTagging(tags) };
    }
    case 'DELETE tags':
      require('s3:DeleteObjectTagging');
      await find();
      await store.change(key, { tags: '' });
      return { status: 204 };
    case 'GET bucket':
      require('s3:ListBucket');
      return { status: 200, body: await toListing(store, bucket.name, url.searchParams) };
    default:
      throw notImplemented(operation);
  }
}

function toTagging(tags: string): string {
  const set = [...new URLSearchParams(tags)].map(
    ([key, value]) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><TagSet>${set.join('')}</TagSet></Tagging>`;
}

function requirePermission({ session, decide }: Caller, action: string, resource: string): void {
  if (decide(action, resource) === 'allow') return;
  throw accessDenied(
    `User: ${session} is not authorized to perform: ${action} on resource: "${resource}"`,
  );
}

/**
 * Throws `NoSuchKey`. If the caller may not list the bucket, throws `AccessDenied` instead, as S3
 * does to hide whether the key exists.
 */
function throwMissing({ decide }: Caller, { arn }: Pick<Bucket, 'arn'>): never {
  if (decide('s3:ListBucket', arn) !== 'allow') throw accessDenied();
  throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
}

function toObjectHeaders(metadata: ObjectMetadata, query: URLSearchParams): Headers {
  const disposition = query.get('response-content-disposition');
  return {
    'content-type': query.get('response-content-type') ?? metadata.type,
    'content-length': String(metadata.size),
    'last-modified': new Date(metadata.modifiedAt).toUTCString(),
    etag: `"${metadata.sha256}"`,
    ...(disposition !== null && { 'content-disposition': disposition }),
  };
}
