/**
 * Stores unsent messages. `put` and `delete` resolve when the change is durable. Values are JSON.
 */
export interface OutboxStorage {
  /** Returns the values whose keys begin with the prefix. */
  list(prefix: string): Promise<readonly string[]>;
  /** Stores the value. The first call for a message also passes its files. */
  put(key: string, value: string, files?: readonly Blob[]): Promise<unknown>;
  /** Deletes the value and its files. */
  delete(key: string): Promise<unknown>;
  /**
   * Returns a key's files in the order in which `put` received them. Without this function,
   * messages lose their files when the app exits.
   */
  listFiles?(key: string): Promise<readonly Blob[]>;
}
