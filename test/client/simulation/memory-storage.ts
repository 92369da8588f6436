import type { OutboxStorage } from '../../../client/src/index.ts';

/** A storage that outlives a client, for tests that end the process. */
export interface MemoryStorage extends OutboxStorage {
  readonly values: Map<string, string>;
}

/** Returns a storage whose calls take the given time in milliseconds. */
export function createMemoryStorage(delayMs = 0): MemoryStorage {
  const values = new Map<string, string>();
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  return {
    values,
    list: async (prefix) => {
      await wait();
      return [...values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    },
    put: async (key, value) => {
      await wait();
      values.set(key, value);
    },
    delete: async (key) => {
      await wait();
      values.delete(key);
    },
  };
}
