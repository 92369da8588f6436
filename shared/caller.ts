/** Who is calling, as their token says: identity belongs to the identity provider, and is only read here. */
export interface Caller {
  /** The contact id: the token's `sub`. */
  id: string;
  /** The groups that the caller belongs to at present. */
  groups: readonly string[];
  username: string | null;
  phone_number: string | null;
  avatar_url: string | null;
}
