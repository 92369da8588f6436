/**
 * Keeps messages that are not sent yet. All functions resolve after the data is durable. Values are
 * JSON.
 */
export interface OutboxStorage {
  /** Returns the values whose key begins with the prefix. */
  list(prefix: string): Promise<readonly string[]>;
  put(key: string, value: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}
