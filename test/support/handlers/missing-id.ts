/** Returns an id of no message: that of the given message, but with another time. */
export const toMissingId = (messageId: string): string =>
  messageId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
