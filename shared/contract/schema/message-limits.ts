/** Limits of one message. A test checks that the largest message is far below DynamoDB's 400 KB. */
export const messageLimits = {
  /** Maximum number of Unicode code points in the text, up to four bytes each. */
  textCharacters: 10_000,
  attachments: 10,
  /** Maximum size of an attachment as JSON, in bytes. */
  attachmentBytes: 4096,
  mentions: 25,
  reactionNames: 50,
  /** Maximum number of code points in a name. */
  reactionNameCharacters: 64,
  /** Maximum number of reactions across all names. A contact who uses two names counts twice. */
  reactions: 1000,
} as const;
