import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { region } from '../account.ts';
import { type Caller, type Callers, secretAccessKey } from '../stack/caller.ts';

/** Milliseconds before and after its time for which a signature is valid. */
const maxAgeMilliseconds = 5 * 60_000;

const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/([^/]+)\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Returns the caller who signed the request for this service (Signature Version 4); `undefined` if
 * the signer is unknown or the request was changed. The time is in milliseconds.
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

  const canonical = [
    method,
    url,
    '',
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const isValid = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
  return isValid ? caller : undefined;
}

/** 20261122T060324Z */
const parseAmzDate = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
