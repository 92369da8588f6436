import { createHash } from 'node:crypto';

/**
 * Tells people apart in the log without naming them. Whoever knows an id finds their lines:
 * `printf %s ann | sha256sum | cut -c 1-12`.
 */
export const shortHash = (id: string): string =>
  createHash('sha256').update(id).digest('hex').slice(0, 12);
