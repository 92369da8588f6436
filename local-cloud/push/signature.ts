import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { region } from '../account.ts';
import { type Caller, type Callers, secretAccessKey } from '../stack/caller.ts';

/** Milliseconds before and after its time for which a signature is valid. */
const goodFor = 5 * 60_000;

const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/([^/]+)\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Returns the caller who signed the request for this service (Signature Version 4); `undefined` if
 * the signer is unknown or the request was changed. The time is in milliseconds.
 */
export function signerOf(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  { callers, service, now }: { callers: Callers; service: string; now: number },
): Caller | undefined {
  const [, accessKey = '', scope = '', place, what, names = '', signature = ''] =
    form.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date']);
  const caller = callers.get(accessKey);
  const isHere = place === region && what === service && scope.startsWith(date.slice(0, 8));
  const signed = names.split(';');
  const isWhole = ['host', 'x-amz-date'].every((name) => signed.includes(name));
  if (!caller || !isHere || !isWhole || Math.abs(now - timeOf(date)) > goodFor) return undefined;

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
  const isRight = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
  return isRight ? caller : undefined;
}

/** 20261122T060324Z */
const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
