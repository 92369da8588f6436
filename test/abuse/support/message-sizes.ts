/** A message's text, and what else is sent. */
export interface MessageSize {
  text: string;
  more: object;
}

const attachments = Array.from({ length: 10 }, () => ({ name: 'x'.repeat(4085) }));

/** What one request sends at most: the longest text, and ten attachments of four kilobytes as JSON. */
export const largest: MessageSize = { text: '🦉'.repeat(10_000), more: { attachments } };
export const small: MessageSize = { text: 'Hello', more: {} };
