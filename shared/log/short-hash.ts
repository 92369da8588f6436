import { createHash } from 'node:crypto';

/** Returns a pseudonym of an id for the log: `printf %s ann | sha256sum | cut -c 1-12`. */
export const toShortHash = (id: string): string =>
  createHash('sha256').update(id).digest('hex').slice(0, 12);
