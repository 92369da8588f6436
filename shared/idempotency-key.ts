import { createHash } from 'node:crypto';
import { isObject, sorted } from './contract/objects.ts';
import { invalid } from './errors.ts';

/** The Idempotency-Key of a request and what identifies the request. */
export interface IdempotencyKey {
  /** Operation id: a key counts for one operation. */
  operation: string;
  /** Hash of the key. */
  hash: string;
  /** Hash of the request: the same key with another request is an error. */
  fingerprint: string;
}

/**
 * Parses the header, quoted or bare; `undefined` without it. Throws `parameter_invalid` for
 * `Idempotency-Key`.
 */
export function readIdempotencyKey(
  header: string | undefined,
  operation: string,
  input: unknown,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
  if (key.length < 1 || key.length > 255) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 characters');
  }
  return { operation, hash: hashOf(key), fingerprint: fingerprintOf(input) };
}

/** Returns equal text for equivalent requests: null and empty lists count as absent. */
function fingerprintOf(input: unknown): string {
  const asked = isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => !isNothing(value)))
    : input;
  return hashOf(JSON.stringify(asked, (_, value) => sorted(value)));
}

const isNothing = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
