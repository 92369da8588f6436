/**
 * Limits of one message. Together they keep its item well below DynamoDB's 400 KB: a test
 * adds them up.
 */
export const messageLimits = {
  /** Unicode code points, up to four bytes each. */
  textCharacters: 10_000,
  attachments: 10,
  /** Bytes per attachment, as JSON. */
  attachmentBytes: 4096,
  /** Distinct reaction names. */
  reactionNames: 50,
  /** Code points per name. */
  reactionNameCharacters: 64,
  /** Reactions in total; a contact with two names counts twice. */
  reactions: 1000,
} as const;
