/**
 * Keeps messages that are not sent yet. All functions resolve after the data is durable. Values are
 * JSON.
 */
export interface OutboxStorage {
  /** Returns the values whose key begins with the prefix. */
  list(prefix: string): Promise<readonly string[]>;
  /** Stores the value, with the files of the message at the first time. */
  put(key: string, value: string, files?: readonly Blob[]): Promise<unknown>;
  /** Deletes the value and its files. */
  delete(key: string): Promise<unknown>;
  /** Returns the files of a key. Without it, messages lose their files when the app exits. */
  listFiles?(key: string): Promise<readonly Blob[]>;
}
