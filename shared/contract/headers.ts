import { version } from './version.ts';

/** Request headers, beyond the CORS-safelisted ones, that browsers may send. */
export const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
] as const;

/** Reply headers that browsers may read. */
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
 * Headers of every reply, including the replies that the gateway creates. The reference overrides
 * `Cache-Control`.
 */
export const fixedHeaders = {
  'Cache-Control': 'no-store',
  'Service-Version': version,
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'X-Content-Type-Options': 'nosniff',
  // Two years in seconds, as browsers' HSTS preload lists recommend. After one reply, browsers
  // access a custom domain only over TLS.
  'Strict-Transport-Security': 'max-age=63072000',
} as const;

/** Value of `WWW-Authenticate` in every 401 (RFC 6750). */
export const authenticationChallenge = 'Bearer';
