import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../api-error.ts';
import { fixedHeaders } from '../contract/headers.ts';
import { matchesIfNoneMatch } from '../etag.ts';
import { getBaseUrl, getRequestUrl } from './reply/links.ts';
import { allowedOrigin } from './reply/to-reply.ts';
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

const cacheImmutable = 'public, max-age=31536000, immutable';
/**
 * Cached but revalidated each time, so that readers never see the reference of a replaced
 * deployment.
 */
const cacheRevalidate = 'no-cache';

const suffixes = { br: '.br', gzip: '.gz' } as const;
type Coding = keyof typeof suffixes;

/** Returns the requested file. Throws `not_found`. */
export function toReferenceReply(
  event: APIGatewayProxyEvent,
  files: ReferenceFiles,
  read: (name: string) => Buffer,
): StreamedReply {
  const base = getBaseUrl(event);
  const path = getRequestUrl(event).slice(base.length);
  if (event.requestContext.path.endsWith('/')) return toRedirect(event, base + path);
  const file = files[path] ?? findOtherVersion(files, path);
  if (!file) throw new ApiError('not_found');
  const coding = negotiateEncoding(event.headers['accept-encoding']);
  const { hash, content } = file.addressed
    ? renderWithBaseUrl(file, file.addressed, base, coding, read)
    : { hash: file.hash, content: read(`${file.name}${coding ? suffixes[coding] : ''}`) };
  const etag = `"${hash}${coding ? `-${coding}` : ''}"`;
  const isUnchanged = matchesIfNoneMatch(event.headers['if-none-match'], etag);
  return {
    statusCode: isUnchanged ? 304 : 200,
    headers: {
      ...commonHeaders(event),
      'Cache-Control': isImmutable(files, path) ? cacheImmutable : cacheRevalidate,
      'Content-Type': file.type,
      ...(coding && !isUnchanged && { 'Content-Encoding': coding }),
      ETag: etag,
    },
    body: isUnchanged || event.httpMethod === 'HEAD' ? Buffer.alloc(0) : content,
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
const toRedirect = (event: APIGatewayProxyEvent, to: string): StreamedReply => ({
  statusCode: 308,
  headers: {
    ...commonHeaders(event),
    'Cache-Control': cacheRevalidate,
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
function findOtherVersion(files: ReferenceFiles, path: string): ReferenceFile | undefined {
  const withoutHash = (one: string) => hashed.exec(one)?.slice(1).join();
  const name = withoutHash(path);
  return name === undefined
    ? undefined
    : Object.entries(files).find(([one]) => withoutHash(one) === name)?.[1];
}

/** Returns the smallest stored encoding that the client accepts; `undefined` for none. */
function negotiateEncoding(accepted = ''): Coding | undefined {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(/\s/g, ''))
    .filter((one) => !/;q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';')[0]);
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : undefined;
}

let lastRendered: { key: string; hash: string; content: Buffer } | undefined;

/**
 * Inserts the API's address from the request. A stage usually has one address, so the last one is
 * cached.
 */
function renderWithBaseUrl(
  { name }: ReferenceFile,
  placeholder: string,
  base: string,
  coding: Coding | undefined,
  read: (name: string) => Buffer,
) {
  const key = [name, base, coding].join();
  if (lastRendered?.key === key) return lastRendered;
  const text = read(name).toString().replaceAll(placeholder, base);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  lastRendered = { key, hash, content: compress(Buffer.from(text), coding) };
  return lastRendered;
}

const compress = (content: Buffer, coding: Coding | undefined) =>
  coding === 'br' ? brotliCompressSync(content, fastBrotli) : coding ? gzipSync(content) : content;

/** Brotli at this level is as fast as gzip, and smaller. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
