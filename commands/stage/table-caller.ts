import type { Caller } from '../../shared/caller.ts';

/**
 * Returns a caller that acts as the person and bypasses blocks. The caller has no profile, because
 * commands do not store profiles.
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
