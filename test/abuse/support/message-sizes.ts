export interface MessageSize {
  text: string;
  more: object;
}

const attachments = Array.from({ length: 10 }, () => ({ name: 'x'.repeat(4085) }));

/** The longest text, and ten attachments with 4 KB of JSON each. */
export const largest: MessageSize = { text: '🦉'.repeat(10_000), more: { attachments } };
export const small: MessageSize = { text: 'Hello', more: {} };
