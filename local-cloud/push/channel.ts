const segment = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,48}[A-Za-z0-9])?$/;
const maxSegments = 5;

/** The parts of a channel's path; undefined when it is none. A slash at either end may be left out, as AppSync allows. */
export function segmentsOf(channel: string): string[] | undefined {
  const segments = channel.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isChannel = segments.length <= maxSegments && segments.every((part) => segment.test(part));
  return isChannel ? segments : undefined;
}

/** The same of what somebody subscribes to: it may end with `*`, which stands for all that begins like that. */
export function patternOf(channel: string): string[] | undefined {
  const [, before = '', star = ''] = /^(.*?)(\/\*)?$/s.exec(channel) ?? [];
  if (!star) return segmentsOf(channel);
  const segments = segmentsOf(before);
  return segments && segments.length < maxSegments ? [...segments, '*'] : undefined;
}

/** Whether who subscribed to the pattern hears what is published on the channel. */
export const matches = (pattern: readonly string[], channel: readonly string[]): boolean =>
  pattern.at(-1) === '*'
    ? channel.length >= pattern.length &&
      pattern.slice(0, -1).every((part, n) => part === channel[n])
    : pattern.length === channel.length && pattern.every((part, n) => part === channel[n]);
