import type { OutboxStorage } from '../../../client/src/index.ts';

/** Outbox storage that keeps its entries after a client closes, for tests that restart clients. */
export interface MemoryStorage extends Required<OutboxStorage> {
  readonly values: Map<string, string>;
  readonly files: Map<string, readonly Blob[]>;
}

export function createMemoryStorage(delayMs = 0): MemoryStorage {
  const values = new Map<string, string>();
  const files = new Map<string, readonly Blob[]>();
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  return {
    values,
    files,
    list: async (prefix) => {
      await wait();
      return [...values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    },
    put: async (key, value, newFiles) => {
      await wait();
      values.set(key, value);
      if (newFiles && newFiles.length > 0) files.set(key, newFiles);
    },
    delete: async (key) => {
      await wait();
      values.delete(key);
      files.delete(key);
    },
    listFiles: async (key) => {
      await wait();
      return files.get(key) ?? [];
    },
  };
}
