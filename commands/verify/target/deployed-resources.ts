export interface DeployedResources {
  /** Returns the physical ids of all resources of a type. */
  resources(type: string): Promise<readonly string[]>;
  /** Returns the log group of the function whose description starts with `description`. */
  logGroup(description: string): Promise<string>;
  /**
   * Reports whether the policies of the function's role allow a query of the index with these
   * values of `dynamodb:LeadingKeys`.
   */
  mayQuery(description: string, index: string, keys: readonly string[]): Promise<boolean>;
}
