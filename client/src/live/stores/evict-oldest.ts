/** Removes the entries that were added first, until at most `maxSize` are left. */
export function evictOldest(entries: Map<string, unknown> | Set<string>, maxSize: number): void {
  for (const first of entries.keys()) {
    if (entries.size <= maxSize) return;
    entries.delete(first);
  }
}
