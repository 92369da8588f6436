import { maxReplyBytes } from './contract/schema/list-schema.ts';

/** Maximum bytes of a reply as Lambda returns it: as text inside JSON, escapes included. */
const maxEscapedBytes = 6_000_000;

/** Returns how many of the items, from the first, fit one reply; at least one. */
export function countFitting(items: object[]): number {
  let [bytes, escaped] = [0, 0];
  const firstOverflow = items.findIndex((item) => {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text);
    escaped += Buffer.byteLength(JSON.stringify(text));
    return bytes > maxReplyBytes || escaped > maxEscapedBytes;
  });
  return firstOverflow === -1 ? items.length : Math.max(1, firstOverflow);
}
