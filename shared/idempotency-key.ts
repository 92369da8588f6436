import { createHash } from 'node:crypto';
import { isObject, sorted } from './contract/objects.ts';
import { invalid } from './errors.ts';

/** The Idempotency-Key of a request that may be repeated but must happen once, and what it was given for. */
export interface IdempotencyKey {
  /** The operation's id: a key counts for one operation. */
  operation: string;
  /** Of the key itself. */
  hash: string;
  /** Hash of what was asked: the same key for something else is a mistake. */
  fingerprint: string;
}

/** Reads the header, quoted or bare; undefined without it. Throws `parameter_invalid` for `Idempotency-Key`. */
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

/** The same for all requests that ask for the same: null and an empty list ask for no more than their absence. */
function fingerprintOf(input: unknown): string {
  const asked = isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => !isNothing(value)))
    : input;
  return hashOf(JSON.stringify(asked, (_, value) => sorted(value)));
}

const isNothing = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
