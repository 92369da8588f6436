/** Matches a feed entry about a group member. The entry ends with the contact's id. */
const memberPattern = /^([jk](?:[^.]+\.){2}[^.]+)\..+$/;

/**
 * Returns the fault in a feed item, or undefined. Feeds may contain only event types, versions,
 * timestamps and ids, including the ids of deleted conversations.
 */
export function findFeedItemFault({
  pk,
  sk,
  entries,
  room,
  emptied,
  expires_at,
  ...others
}: Record<string, unknown>): string | undefined {
  const content = Object.keys(others);
  if (content.length > 0) return `it contains ${content.join(', ')}`;
  if (sk === 'CHECK') return expires_at === undefined ? 'it never expires' : undefined;
  const isEntry = (entry: unknown) =>
    /^([a-h][0-9A-Z]{26}([0-9A-Z]{18})?|[i-n]grp_[0-9A-Z]{26})(\.[0-9a-z]+){2}$/.test(
      String(entry).replace(memberPattern, '$1'),
    );
  return Array.isArray(entries) && entries.every(isEntry) ? undefined : 'it is not a feed chunk';
}

/**
 * Returns the feeds with entries that would never expire: the entries' chunk has no expiry, and the
 * feed has no maintenance item.
 */
export function findUnmaintainedFeeds(items: readonly Record<string, unknown>[]): unknown[] {
  const checked = new Set(items.filter(({ sk }) => sk === 'CHECK').map(({ pk }) => pk));
  return items
    .filter(
      ({ entries, expires_at }) =>
        Array.isArray(entries) && entries.length > 0 && expires_at === undefined,
    )
    .map(({ pk }) => pk)
    .filter((feed) => !checked.has(feed));
}
