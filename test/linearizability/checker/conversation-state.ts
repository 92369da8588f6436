/** A conversation under sequential execution. Messages are identified by their texts. */
export interface Conversation {
  /** All sent messages in order, including deleted messages. */
  log: readonly string[];
  deleted: ReadonlySet<string>;
  isDeleted: boolean;
  /** Read position of each person: the number of oldest messages that count as read. */
  read: ReadonlyMap<string, number>;
  blockers: ReadonlySet<string>;
}

export interface Span {
  begun: Conversation;
  now: Conversation;
  /** Whether there may be messages that no reply returned. */
  mayHaveUnseen: boolean;
  /** Whether a reply returned the message before the read began. */
  wasSeen(text: string): boolean;
}
