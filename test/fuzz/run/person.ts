/** Somebody with a token. */
export interface Person {
  id: string;
  /** As the API sees them: those with ids that are good. */
  groups: readonly string[];
  username: string | null;
  authorization: string;
}
