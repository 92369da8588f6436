import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { secretAccessKey } from './caller.ts';

export const toHexHash = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

export const signingAlgorithm = 'AWS4-HMAC-SHA256';

/** The parts of a request that Signature Version 4 covers. */
export interface SignedRequest {
  method: string;
  /** Path as sent. */
  path: string;
  /** Sorted query parameters as sent, without the signature. */
  query: string;
  headers: Readonly<Record<string, unknown>>;
  /** Signed headers, separated by semicolons. */
  names: string;
  payloadHash: string;
  /** Timestamp, such as 20261122T060324Z. */
  date: string;
  /** Date, region, service and `aws4_request`, separated by slashes. */
  scope: string;
}

export function isSignatureOf(signature: string, request: SignedRequest): boolean {
  const { method, path, query, headers, names, payloadHash, date, scope } = request;
  const canonical = [
    method,
    path,
    query,
    ...names
      .split(';')
      .map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    payloadHash,
  ].join('\n');
  const toSign = [signingAlgorithm, date, scope, toHexHash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const received = Buffer.from(signature, 'hex');
  const expected = hmac(key, toSign);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/**
 * Returns milliseconds since 1970 for a timestamp such as 20261122T060324Z. Returns -Infinity for
 * an invalid timestamp, so that the signature counts as expired.
 */
export function parseAmzDate(date: string): number {
  const isoDate = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const milliseconds = Date.parse(isoDate);
  return Number.isNaN(milliseconds) ? Number.NEGATIVE_INFINITY : milliseconds;
}
