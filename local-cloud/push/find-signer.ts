import type { IncomingMessage } from 'node:http';
import { region } from '../account.ts';
import type { Caller, Callers } from '../stack/caller.ts';
import { isSignatureOf, parseAmzDate, toHexHash } from '../stack/signature.ts';

/** Maximum milliseconds between now and the timestamp of a signature. */
const maxAgeMilliseconds = 5 * 60_000;

const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/([^/]+)\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Returns the caller who signed the request for this service (Signature Version 4); `undefined` if
 * the signature is invalid or expired. `now` is in milliseconds since 1970.
 */
export function findSigner(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  { callers, service, now }: { callers: Callers; service: string; now: number },
): Caller | undefined {
  const [, accessKey = '', scope = '', signedRegion, signedService, names = '', signature = ''] =
    authorizationPattern.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date']);
  const caller = callers.get(accessKey);
  const hasValidScope =
    signedRegion === region && signedService === service && scope.startsWith(date.slice(0, 8));
  const signed = names.split(';');
  const signsHostAndDate = ['host', 'x-amz-date'].every((name) => signed.includes(name));
  if (
    !caller ||
    !hasValidScope ||
    !signsHostAndDate ||
    Math.abs(now - parseAmzDate(date)) > maxAgeMilliseconds
  )
    return undefined;
  const payloadHash = toHexHash(body);
  const request = { method, path: url, query: '', headers, names, payloadHash, date, scope };
  return isSignatureOf(signature, request) ? caller : undefined;
}
