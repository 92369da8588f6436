/** Of what has happened, of deleted conversations too, a feed has ids, kinds, versions and times, and nothing else. */
export function whyStrayInFeed({
  pk,
  sk,
  entries,
  room,
  expires_at,
  ...others
}: Record<string, unknown>): string | undefined {
  const content = Object.keys(others);
  if (content.length > 0) return `a feed has ${content.join(', ')}`;
  const isEntry = (entry: unknown) =>
    /^[a-g][0-9A-Z]{26}([0-9A-Z]{18})?(\.[0-9a-z]+){2}$/.test(String(entry));
  return Array.isArray(entries) && entries.every(isEntry) ? undefined : 'it is no chunk of a feed';
}
