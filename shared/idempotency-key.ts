import { createHash } from 'node:crypto';
import { invalidParameter } from './api-error.ts';
import { isObject, sortFields } from './contract/schema/objects.ts';

export interface IdempotencyKey {
  /** Operation id. A key is valid for only one operation. */
  operation: string;
  hash: string;
  /** Hash of the request body. Reusing the key with a different body is an error. */
  fingerprint: string;
}

/**
 * Parses the Idempotency-Key header, quoted or bare. Throws `parameter_invalid` if the key is empty
 * or longer than 255 characters.
 */
export function parseIdempotencyKey(
  header: string | undefined,
  operation: string,
  input: unknown,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim();
  if (key.length < 1 || key.length > 255) {
    throw invalidParameter('Idempotency-Key', 'must be 1 to 255 characters');
  }
  return { operation, hash: hashText(key), fingerprint: toFingerprint(input) };
}

/**
 * Returns equal hashes for equivalent requests. Ignores the order of fields, and top-level fields
 * that are null or empty lists.
 */
function toFingerprint(input: unknown): string {
  const presentFields = isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => !isNullOrEmpty(value)))
    : input;
  return hashText(JSON.stringify(presentFields, (_, value) => sortFields(value)));
}

const isNullOrEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

const hashText = (text: string) => createHash('sha256').update(text).digest('base64url');
