import { createHash } from 'node:crypto';
import { ApiError } from './api-error.ts';
import type { OperationResult } from './contract/operation.ts';

/**
 * Returns the ETag of a resource. Ignores a message's `contact`, because a change to the sender's
 * profile does not change the message.
 */
export const toEtag = ({ reply, state }: OperationResult<object>): string => {
  const shown = JSON.stringify([{ ...reply, contact: undefined }, state]);
  return `"${createHash('sha256').update(shown).digest('base64url').slice(0, 22)}"`;
};

/** Reports whether If-None-Match contains `*` or the ETag. Ignores `W/`, which a proxy may add. */
export const matchesIfNoneMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  parseEtags(ifNoneMatch).some((tag) => ['*', etag].includes(tag.replace(/^W\//, '')));

/**
 * Throws `precondition_failed` if an If-Match header contains neither `*` nor the ETag of `current`
 * (RFC 9110, 13.1.1).
 */
export function requireIfMatch(
  ifMatch: string | undefined,
  current: OperationResult<object>,
): void {
  const tags = parseEtags(ifMatch);
  if (ifMatch === undefined || tags.includes('*') || tags.includes(toEtag(current))) return;
  throw new ApiError('precondition_failed');
}

const parseEtags = (header = ''): string[] => header.split(',').map((tag) => tag.trim());
