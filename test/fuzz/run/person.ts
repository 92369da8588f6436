export interface Person {
  id: string;
  /** The token's valid groups. */
  groups: readonly string[];
  username: string | null;
  authorization: string;
}
