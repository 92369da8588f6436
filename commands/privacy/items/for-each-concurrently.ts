/**
 * Processes entries in batches of at most `maxConcurrent` concurrent calls. If a call fails, waits
 * for the other calls of the batch, then throws.
 */
export async function forEachConcurrently<Entry>(
  entries: readonly Entry[],
  maxConcurrent: number,
  process: (one: Entry) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < entries.length; start += maxConcurrent) {
    const results = await Promise.allSettled(
      entries.slice(start, start + maxConcurrent).map(process),
    );
    for (const one of results) if (one.status === 'rejected') throw one.reason;
  }
}
