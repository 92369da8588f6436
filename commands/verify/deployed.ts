/** What the stack's template has become, as far as checks ask. */
export interface Deployed {
  /** Physical ids of the stack's resources of that type. */
  resources(type: string): Promise<readonly string[]>;
  /** The log group of the function whose description begins like that. */
  logGroup(description: string): Promise<string>;
  /**
   * Whether the role of that function may query the index of the table, as far as its policies go,
   * when the request's `dynamodb:LeadingKeys` are these.
   */
  mayQuery(description: string, index: string, keys: readonly string[]): Promise<boolean>;
}
