import { createHash } from 'node:crypto';
import { ApiError } from './api-error.ts';
import type { Answer } from './contract/operation.ts';

/**
 * Returns the ETag of a resource. Ignores the contact of a message, because the contact's profile
 * and activity are not part of the message.
 */
export const toEtag = ({ reply, state }: Answer<object>): string => {
  const shown = JSON.stringify([{ ...reply, contact: undefined }, state]);
  return `"${createHash('sha256').update(shown).digest('base64url').slice(0, 22)}"`;
};

/**
 * Reports whether an If-None-Match header contains `*` or the ETag. Ignores the prefix `W/`, which
 * a proxy may add.
 */
export const matchesIfNoneMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  parseEtags(ifNoneMatch).some((tag) => ['*', etag].includes(tag.replace(/^W\//, '')));

/**
 * Throws `precondition_failed` if an If-Match header is present and contains neither `*` nor the
 * ETag of `current` (RFC 9110, 13.1.1).
 */
export function requireIfMatch(ifMatch: string | undefined, current: Answer<object>): void {
  const tags = parseEtags(ifMatch);
  if (ifMatch === undefined || tags.includes('*') || tags.includes(toEtag(current))) return;
  throw new ApiError('precondition_failed');
}

const parseEtags = (header = ''): string[] => header.split(',').map((tag) => tag.trim());
