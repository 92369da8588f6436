/**
 * What one message may hold. Each is a limit of the API; together they keep the item that holds a
 * message far below the 400 KB that the table takes, whatever everybody does: a test adds them up.
 */
export const messageLimits = {
  /** Unicode code points, of up to four bytes each. */
  textCharacters: 10_000,
  attachments: 10,
  /** Of each attachment, as JSON. */
  attachmentBytes: 4096,
  /** Different names of reactions. */
  reactionNames: 50,
  /** Code points of each name. */
  reactionNameCharacters: 64,
  /** Reactions in all: somebody who reacts by two names has two. */
  reactions: 1000,
} as const;
