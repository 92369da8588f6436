import type { LiveContext } from '../live-context.ts';
import type { OutboxEntry, OutboxFile } from './pending-message.ts';

/** Returns the user's stored entries, with their files. */
export async function listEntries({ outbox, options }: LiveContext): Promise<OutboxEntry[]> {
  const { storage } = options;
  const prefix = await outbox.prefix.promise;
  const values = (await storage?.list(prefix)) ?? [];
  const restore = async (value: string): Promise<OutboxEntry> => {
    const entry: OutboxEntry = { files: [], ...JSON.parse(value) };
    if (entry.files.length === 0) return entry;
    const blobs = (await storage?.listFiles?.(prefix + entry.key)) ?? [];
    return { ...entry, files: entry.files.map((one, n) => ({ ...one, file: blobs[n] ?? null })) };
  };
  return Promise.all(values.map(restore));
}

export const findEntry = ({ outbox }: LiveContext, key: string): OutboxEntry | undefined =>
  outbox.entries.find((one) => one.key === key);

/** Adds the entry, or replaces an entry with the same key. */
export function setEntry(live: LiveContext, entry: OutboxEntry): void {
  dropEntry(live, entry);
  const { outbox } = live;
  outbox.entries = [...outbox.entries, entry].sort((a, b) => a.number - b.number);
}

/**
 * Changes a file of an entry. Returns the changed entry; undefined if the entry no longer exists.
 */
export function setFile(
  live: LiveContext,
  key: string,
  n: number,
  change: Partial<OutboxFile>,
): OutboxEntry | undefined {
  const entry = findEntry(live, key);
  if (!entry) return undefined;
  const files = entry.files.map((one, at) => (at === n ? { ...one, ...change } : one));
  const changed = { ...entry, files };
  setEntry(live, changed);
  return changed;
}

/** Adds or replaces the entry, and stores it. */
export function saveEntry(live: LiveContext, entry: OutboxEntry): Promise<unknown> {
  setEntry(live, entry);
  return live.outbox.write(() => putEntry(live, entry));
}

export async function removeEntry(live: LiveContext, entry: OutboxEntry): Promise<void> {
  const { outbox } = live;
  dropEntry(live, entry);
  // If the message was sent, its promise is already resolved, and the rejection has no effect.
  outbox.results.get(entry.key)?.reject(new Error('The message was discarded.'));
  outbox.results.delete(entry.key);
  await deleteStoredEntry(live, entry.key);
}

/**
 * Removes the failed messages of a conversation from the storage, because the conversation was
 * deleted or the user has lost access to it. Keeps the messages in memory, so that the app can show
 * them.
 */
export function deleteStoredFailures(live: LiveContext, conversationId: string): void {
  for (const { key, conversation_id, status } of live.outbox.entries)
    if (conversation_id === conversationId && status === 'failed')
      deleteStoredEntry(live, key).catch(() => {});
}

/** Removes an entry from the storage only. */
export async function deleteStoredEntry(
  { outbox, options }: LiveContext,
  key: string,
): Promise<void> {
  const { storage } = options;
  if (storage) await outbox.write(async () => storage.delete((await outbox.prefix.promise) + key));
}

/** Stores an entry and, if `files` is set, its files. */
export async function putEntry(
  { outbox, options }: LiveContext,
  entry: OutboxEntry,
  files?: readonly Blob[],
): Promise<void> {
  const { storage } = options;
  const { key, error } = entry;
  const stored = {
    ...entry,
    // `JSON.stringify` omits an error's `message`, which is not enumerable.
    error: error && { name: error.name, message: error.message },
    files: entry.files.map(({ file: _, ...described }) => described),
  };
  if (storage)
    await storage.put((await outbox.prefix.promise) + key, JSON.stringify(stored), files);
}

function dropEntry({ outbox, open }: LiveContext, { key, conversation_id }: OutboxEntry) {
  outbox.entries = outbox.entries.filter((one) => one.key !== key);
  open.get(conversation_id)?.store.invalidate();
}
