import { createHash } from 'node:crypto';
import type { Answer } from './contract/operation.ts';
import { ApiError } from './errors.ts';

/**
 * Names the state of a thing as the caller sees it; `state` tells apart what replies show alike. The contact embedded in a
 * message does not count: it is another thing, shown for convenience, and changes whenever that person is active.
 */
export const etagOf = ({ reply, state }: Answer<object>): string => {
  const shown = JSON.stringify([{ ...reply, contact: undefined }, state]);
  return `"${createHash('sha256').update(shown).digest('base64url').slice(0, 22)}"`;
};

/** Whether an If-None-Match names the state. Compares weakly: a `W/` that a proxy put before the tag does not count. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  tagsOf(ifNoneMatch).some((tag) => ['*', etag].includes(tag.replace(/^W\//, '')));

/**
 * Throws `precondition_failed` if there is an If-Match and it does not name the state of `current`, the answer that a
 * retrieve would give now. Compares strongly (RFC 9110, 13.1.1).
 */
export function requireMatch(ifMatch: string | undefined, current: Answer<object>): void {
  const tags = tagsOf(ifMatch);
  if (ifMatch === undefined || tags.includes('*') || tags.includes(etagOf(current))) return;
  throw new ApiError('precondition_failed');
}

const tagsOf = (header = ''): string[] => header.split(',').map((tag) => tag.trim());
