/**
 * The most groups that a token may name: each of them is an inbox of its own to read, and a condition of the table takes no
 * more values.
 */
export const maxGroups = 100;

/** Who is calling, as their token says: identity belongs to the identity provider, and is only read here. */
export interface Caller {
  /** The contact id: the token's `sub`. */
  id: string;
  /** The groups that the caller belongs to at present, each once, `mostGroups` of them at most. */
  groups: readonly string[];
  /** When the token's time is over, in Unix seconds. */
  tokenEndsAt: number;
  username: string | null;
  phone_number: string | null;
  avatar_url: string | null;
}
