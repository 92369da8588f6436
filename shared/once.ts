import { createHash } from 'node:crypto';
import { invalid } from './errors.ts';

/** A request that may be repeated but must happen once: it came with an Idempotency-Key. */
export interface Once {
  /** The operation's id: a key counts for one operation. */
  operation: string;
  /** Hash of the key. */
  key: string;
  /** Hash of what was asked: the same key for something else is a mistake. */
  fingerprint: string;
}

/** Reads the header, quoted or bare; undefined without it. Throws `parameter_invalid` for `Idempotency-Key`. */
export function onceOf(
  header: string | undefined,
  operation: string,
  input: unknown,
): Once | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
  if (key.length < 1 || key.length > 255) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 characters');
  }
  return { operation, key: hash(key), fingerprint: hash(JSON.stringify(input, sorted)) };
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The order of an object's fields says nothing. */
const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
