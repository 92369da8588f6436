import { createHash } from 'node:crypto';

/**
 * Returns a pseudonym for an id in the log. An operator who has the id finds its lines: `printf %s
 * ann | sha256sum | cut -c 1-12`.
 */
export const toShortHash = (id: string): string =>
  createHash('sha256').update(id).digest('hex').slice(0, 12);
