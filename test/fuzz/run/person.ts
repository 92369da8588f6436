export interface Person {
  id: string;
  /** Valid group ids in the token. */
  groups: readonly string[];
  username: string | null;
  authorization: string;
}
