import { clock } from './clock.ts';

/**
 * Creates a cache of at most `maxEntries` values, which expire after `maxAge` milliseconds (by
 * default, never). A full cache evicts the least recently set value.
 */
export function createBoundedCache<Value>(maxEntries: number, maxAge = Number.POSITIVE_INFINITY) {
  const entries = new Map<string, { value: Value; at: number }>();

  const get = (key: string): Value | undefined => {
    const entry = entries.get(key);
    return entry && clock.now() - entry.at < maxAge ? entry.value : undefined;
  };
  const set = (key: string, value: Value, at = clock.now()): void => {
    entries.delete(key);
    entries.set(key, { value, at });
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };

  /**
   * Calls `read` for uncached keys and caches their values. Returns a function that looks up the
   * values by key.
   */
  const lookUp = async (
    keys: readonly string[],
    read: (missing: string[]) => Promise<[string, Value][]>,
  ): Promise<(key: string) => Value | undefined> => {
    const at = clock.now();
    // Copies cached values first, because caching new values may evict them.
    const found = new Map<string, Value>();
    for (const key of keys) {
      const cached = get(key);
      if (cached !== undefined) found.set(key, cached);
    }
    for (const [key, value] of await read([...new Set(keys)].filter((key) => !found.has(key)))) {
      set(key, value, at);
      found.set(key, value);
    }
    return (key) => found.get(key);
  };

  return { get, set, lookUp, delete: (key: string): boolean => entries.delete(key) };
}
