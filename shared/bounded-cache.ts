/** Creates a cache of at most `maxEntries` values. The value set longest ago is evicted first. */
export function createBoundedCache<Value>(maxEntries: number) {
  const values = new Map<string, Value>();
  return {
    get: (key: string): Value | undefined => values.get(key),
    set: (key: string, value: Value): void => {
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > maxEntries && oldest !== undefined) values.delete(oldest);
    },
    delete: (key: string): void => {
      values.delete(key);
    },
    clear: (): void => values.clear(),
  };
}
