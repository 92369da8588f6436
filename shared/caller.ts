/** Maximum groups in a token: each group is an inbox to read. */
export const maxGroups = 100;

/** The caller according to the token. Identity belongs to the identity provider. */
export interface Caller {
  /** Contact id: the token's `sub`. */
  id: string;
  /**
   * Groups of the token, each once, at most `maxGroups`; then the user groups whose membership this
   * request has read.
   */
  groups: readonly string[];
  /** Set for operators' commands, which also work in conversations of blocked contacts. */
  bypassesBlocks?: true;
  /** Expiry of the token in Unix seconds. */
  tokenExpiresAt: number;
  username: string | null;
  phone_number: string | null;
  avatar_url: string | null;
}
