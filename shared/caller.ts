/** Maximum number of groups in a token. Each group adds an inbox to read. */
export const maxGroups = 100;

export interface Caller {
  /** Contact id: the token's `sub`. */
  id: string;
  /**
   * Distinct groups of the token, at most `maxGroups`, then the user groups whose membership this
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
