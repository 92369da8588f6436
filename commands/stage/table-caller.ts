import type { Caller } from '../../shared/caller.ts';

/**
 * Returns a caller of the table code who acts as that person, despite blocks. Commands store no
 * profile, so it has none.
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
