import { maxReplyBytes } from './contract/list.ts';

/** Lambda answers with JSON that holds the reply as text: its 6 MB count what that adds. */
const maxEscapedBytes = 6_000_000;

/** How many of the items, from the first, one reply can hold; one at least. */
export function countFitting(items: object[]): number {
  let [bytes, escaped] = [0, 0];
  const over = items.findIndex((item) => {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text);
    escaped += Buffer.byteLength(JSON.stringify(text));
    return bytes > maxReplyBytes || escaped > maxEscapedBytes;
  });
  return over === -1 ? items.length : Math.max(1, over);
}
