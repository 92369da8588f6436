import { version } from './version.ts';

/** Headers beyond the simple ones that a browser client may send. */
export const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
] as const;

/** Headers of replies that a browser client may read. */
export const exposedHeaders = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Request-Id',
  'Retry-After',
  'Service-Version',
] as const;

/**
 * On every reply, whoever makes it: private to the caller, and nothing that a browser should guess
 * about. The reference is not private, and says itself how long it may be kept.
 */
export const fixedHeaders = {
  'Cache-Control': 'no-store',
  'Service-Version': version,
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'X-Content-Type-Options': 'nosniff',
  // Two years, as browsers' preload lists ask for; a name of one's own is asked by TLS only from
  // then on.
  'Strict-Transport-Security': 'max-age=63072000',
} as const;

/** On every 401: how to authenticate (RFC 6750). */
export const challenge = 'Bearer';
