/** Returns an id that no message has: the given id with a different timestamp. */
export const toMissingId = (messageId: string): string =>
  messageId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
