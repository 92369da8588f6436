/** A person with a token. */
export interface Person {
  id: string;
  /** The valid people, as the API returns them. */
  groups: readonly string[];
  username: string | null;
  authorization: string;
}
