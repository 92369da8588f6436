/** Limits of one message. A test checks that the largest message is far below DynamoDB's 400 KB. */
export const messageLimits = {
  /** Unicode code points, up to four bytes each. */
  textCharacters: 10_000,
  attachments: 10,
  /** Maximum size of an attachment as JSON, in bytes. */
  attachmentBytes: 4096,
  mentions: 25,
  reactionNames: 50,
  /** Code points per name. */
  reactionNameCharacters: 64,
  /** Reactions in total; a contact who uses two names counts twice. */
  reactions: 1000,
} as const;
