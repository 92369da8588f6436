/** A conversation as it would be if everything in it happened one after the other. Messages go by their texts. */
export interface Conversation {
  /** All that was ever sent, in its order; what was deleted keeps its place. */
  log: readonly string[];
  deleted: ReadonlySet<string>;
  /** The conversation itself was deleted. */
  gone: boolean;
  /** How many messages, from the first, each person has been given by lists, or has said to have read. */
  read: ReadonlyMap<string, number>;
}

/** The time that a look took. */
export interface Span {
  begun: Conversation;
  now: Conversation;
  /** There may be messages that nobody has seen. */
  mayHaveUnseen: boolean;
  /** Somebody had seen the message before the look began. */
  wasSeen(text: string): boolean;
}
