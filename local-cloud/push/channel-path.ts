const segment = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,48}[A-Za-z0-9])?$/;
const maxSegments = 5;

/**
 * Returns the segments of a channel path; `undefined` if the path is invalid. As in AppSync, a
 * leading and a trailing slash are optional.
 */
export function parseChannel(channel: string): string[] | undefined {
  const segments = channel.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isChannel = segments.length <= maxSegments && segments.every((part) => segment.test(part));
  return isChannel ? segments : undefined;
}

/**
 * Returns the segments of a subscription's path, which may end with `*`; `undefined` if invalid.
 */
export function parseChannelPattern(channel: string): string[] | undefined {
  const [, before = '', star = ''] = /^(.*?)(\/\*)?$/s.exec(channel) ?? [];
  if (!star) return parseChannel(channel);
  const segments = parseChannel(before);
  return segments && segments.length < maxSegments ? [...segments, '*'] : undefined;
}

export const matchesChannel = (pattern: readonly string[], channel: readonly string[]): boolean =>
  pattern.at(-1) === '*'
    ? channel.length >= pattern.length &&
      pattern.slice(0, -1).every((part, n) => part === channel[n])
    : pattern.length === channel.length && pattern.every((part, n) => part === channel[n]);
