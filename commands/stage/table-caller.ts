import type { Caller } from '../../shared/caller.ts';

/**
 * Returns a caller with which the table code acts as that person, despite blocks. The caller has no
 * profile, because commands store none.
 */
export const toTableCaller = (id: string, groups: readonly string[]): Caller => ({
  id,
  groups,
  bypassesBlocks: true,
  tokenExpiresAt: 0,
  username: null,
  phone_number: null,
  avatar_url: null,
});
