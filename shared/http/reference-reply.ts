import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { fixedHeaders } from '../contract/headers.ts';
import { ApiError } from '../errors.ts';
import { isKnown } from '../etag.ts';
import { addressOf, baseAddressOf } from './links.ts';
import { allowedOrigin } from './reply.ts';
import type { StreamedReply } from './serve-streamed.ts';

/**
 * A file of the reference, stored with `<name>.br` and `<name>.gz`, unless it contains the API's
 * address.
 */
export interface ReferenceFile {
  /** Path below the folder of all files. */
  name: string;
  type: string;
  hash: string;
  /** Placeholder in the file for the API's address. */
  addressed?: string;
}

/**
 * Files by path below the API's address. Immutable files have a hash in their path:
 * `…/name.<hash>.js`.
 */
export type ReferenceFiles = Readonly<Record<string, ReferenceFile>>;

/**
 * Content security policy of the pages: scripts, styles and requests only from the stage itself,
 * images also from the style sheet. No inline code, no other origins, no frames.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const retainedForever = 'public, max-age=31536000, immutable';
/**
 * Cached but revalidated each time, so that readers never see the reference of a replaced
 * deployment.
 */
const askedAfter = 'no-cache';

const suffixes = { br: '.br', gzip: '.gz' } as const;
type Coding = keyof typeof suffixes;

/** Returns the requested file. Throws `not_found`. */
export function referenceReply(
  event: APIGatewayProxyEvent,
  files: ReferenceFiles,
  read: (name: string) => Buffer,
): StreamedReply {
  const base = baseAddressOf(event);
  const path = addressOf(event).slice(base.length);
  if (event.requestContext.path.endsWith('/')) return moved(event, base + path);
  const found = files[path] ?? ofAnotherVersion(files, path);
  if (!found) throw new ApiError('not_found');
  const coding = codingOf(event.headers['accept-encoding']);
  const { hash, content } = found.addressed
    ? addressed(found, found.addressed, base, coding, read)
    : { hash: found.hash, content: read(`${found.name}${coding ? suffixes[coding] : ''}`) };
  const etag = `"${hash}${coding ? `-${coding}` : ''}"`;
  const same = isKnown(event.headers['if-none-match'], etag);
  return {
    statusCode: same ? 304 : 200,
    headers: {
      ...commonHeaders(event),
      'Cache-Control': isImmutable(files, path) ? retainedForever : askedAfter,
      'Content-Type': found.type,
      ...(coding && !same && { 'Content-Encoding': coding }),
      ETag: etag,
    },
    body: same || event.httpMethod === 'HEAD' ? Buffer.alloc(0) : content,
  };
}

const commonHeaders = (event: APIGatewayProxyEvent) => {
  const { Vary, ...origin } = allowedOrigin(event);
  return {
    ...fixedHeaders,
    ...origin,
    Vary: ['Accept-Encoding', Vary].filter(Boolean).join(', '),
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
    'Request-Id': event.requestContext.requestId,
  };
};

/**
 * Removes a trailing slash, which the gateway ignores but relative addresses in the page would not.
 */
const moved = (event: APIGatewayProxyEvent, to: string): StreamedReply => ({
  statusCode: 308,
  headers: {
    ...commonHeaders(event),
    'Cache-Control': askedAfter,
    'Content-Type': 'text/plain',
    Location: to,
  },
  body: Buffer.alloc(0),
});

const hashed = /^(\/docs\/assets\/.+)\.[\w-]{16}(\.\w+)$/;

const isImmutable = (files: ReferenceFiles, path: string) => path in files && hashed.test(path);

/**
 * During a gradual deployment, a page of one version may request scripts of the other. It gets the
 * existing ones, which must not be cached under that name.
 */
function ofAnotherVersion(files: ReferenceFiles, path: string): ReferenceFile | undefined {
  const nameOf = (one: string) => hashed.exec(one)?.slice(1).join();
  const name = nameOf(path);
  return name === undefined
    ? undefined
    : Object.entries(files).find(([one]) => nameOf(one) === name)?.[1];
}

/** Returns the smallest stored encoding that the client accepts; `undefined` for none. */
function codingOf(accepted = ''): Coding | undefined {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(/\s/g, ''))
    .filter((one) => !/;q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';')[0]);
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : undefined;
}

let last: { key: string; hash: string; content: Buffer } | undefined;

/**
 * Inserts the API's address from the request. A stage usually has one address, so the last one is
 * cached.
 */
function addressed(
  { name }: ReferenceFile,
  placeholder: string,
  base: string,
  coding: Coding | undefined,
  read: (name: string) => Buffer,
) {
  const key = [name, base, coding].join();
  if (last?.key === key) return last;
  const text = read(name).toString().replaceAll(placeholder, base);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  last = { key, hash, content: compressed(Buffer.from(text), coding) };
  return last;
}

const compressed = (content: Buffer, coding: Coding | undefined) =>
  coding === 'br' ? brotliCompressSync(content, quick) : coding ? gzipSync(content) : content;

/** Brotli at this level is as fast as gzip, and smaller. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
