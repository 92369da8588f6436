import { version } from './version.ts';

/** Request headers that browsers may send in addition to the CORS-safelisted ones. */
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
 * Headers of every reply, including the gateway's own replies. The reference overrides
 * `Cache-Control`.
 */
export const fixedHeaders = {
  'Cache-Control': 'no-store',
  'Service-Version': version,
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'X-Content-Type-Options': 'nosniff',
  // Two years in seconds, as browsers' HSTS preload lists recommend.
  'Strict-Transport-Security': 'max-age=63072000',
} as const;

/** Value of `WWW-Authenticate` in every 401 (RFC 6750). */
export const authenticationChallenge = 'Bearer';
