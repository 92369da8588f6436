import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../api-error.ts';
import { fixedHeaders } from '../contract/headers.ts';
import { matchesIfNoneMatch } from '../etag.ts';
import { getBaseUrl, getRequestUrl } from './reply/links.ts';
import { allowedOrigin } from './reply/to-reply.ts';

export interface ReferenceFile {
  /** Path relative to the reference's folder. */
  name: string;
  type: string;
  hash: string;
  /** Placeholder in the file for the API's base URL. */
  addressed?: string;
}

/** Files by path below the API's base URL. Immutable files have a hash in their path. */
export type ReferenceFiles = Readonly<Record<string, ReferenceFile>>;

/**
 * Content security policy of the pages. Allows only the same origin, except for `data:` images.
 * Forbids inline code and frames.
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
 * Browsers revalidate cached replies, so they never show the reference of a replaced deployment.
 */
const cacheRevalidate = 'no-cache';

/**
 * Returns the requested file, 304 if the client has the current version, or a redirect if the path
 * ends with a slash. Throws `not_found`.
 */
export function toReferenceReply(
  event: APIGatewayProxyEvent,
  files: ReferenceFiles,
  read: (name: string) => string,
): APIGatewayProxyResult {
  const base = getBaseUrl(event);
  const path = getRequestUrl(event).slice(base.length);
  if (event.requestContext.path.endsWith('/')) return toRedirect(event, base + path);
  const file = files[path] ?? findOtherVersion(files, path);
  if (!file) throw new ApiError('not_found');
  const { hash, content } = file.addressed
    ? renderWithBaseUrl(file, file.addressed, base, read)
    : { hash: file.hash, content: read(file.name) };
  const etag = `"${hash}"`;
  const isUnchanged = matchesIfNoneMatch(event.headers['if-none-match'], etag);
  return {
    statusCode: isUnchanged ? 304 : 200,
    headers: {
      ...commonHeaders(event),
      'Cache-Control': isImmutable(files, path) ? cacheImmutable : cacheRevalidate,
      'Content-Type': file.type,
      // The ETag is weak, because the gateway sends the same ETag with each encoding.
      ETag: `W/${etag}`,
    },
    body: isUnchanged || event.httpMethod === 'HEAD' ? '' : content,
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
 * Redirects to the URL without its trailing slash. The gateway ignores the slash, but with it,
 * relative URLs in the page would resolve differently.
 */
const toRedirect = (event: APIGatewayProxyEvent, to: string): APIGatewayProxyResult => ({
  statusCode: 308,
  headers: {
    ...commonHeaders(event),
    'Cache-Control': cacheRevalidate,
    'Content-Type': 'text/plain',
    Location: to,
  },
  body: '',
});

const hashed = /^(\/docs\/assets\/.+)\.[\w-]{16}(\.\w+)$/;

const isImmutable = (files: ReferenceFiles, path: string) => path in files && hashed.test(path);

/**
 * Returns the deployed version of a file if the path has another version's hash. During a
 * gradual deployment, a page of one version may request scripts of the other version. The reply
 * must not be cached as immutable.
 */
function findOtherVersion(files: ReferenceFiles, path: string): ReferenceFile | undefined {
  const withoutHash = (one: string) => hashed.exec(one)?.slice(1).join();
  const name = withoutHash(path);
  return name === undefined
    ? undefined
    : Object.entries(files).find(([one]) => withoutHash(one) === name)?.[1];
}

interface Rendered {
  base: string;
  hash: string;
  content: string;
}

/** Last rendered version of each file, by name. A stage usually has one base URL. */
const rendered = new Map<string, Rendered>();

function renderWithBaseUrl(
  { name }: ReferenceFile,
  placeholder: string,
  base: string,
  read: (name: string) => string,
): Rendered {
  const last = rendered.get(name);
  if (last?.base === base) return last;
  const content = read(name).replaceAll(placeholder, base);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  const next = { base, hash, content };
  rendered.set(name, next);
  return next;
}
