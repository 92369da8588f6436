import type { OperationId } from './budgets.ts';

/** What is done in a month, and how. */
export interface Volumes {
  /** Requests of each operation. */
  requests: ReadonlyMap<OperationId, number>;
  mix: Mix;
  /** Characters of a message's text, in bytes. */
  messageBytes: number;
  /** In the conversations that are deleted. */
  messagesPerConversation: number;
  /** Groups that somebody who lists conversations is in. */
  groupsPerUser: number;
  /** In the table and its indexes, on average over the month. */
  storedGb: number;
  /** People who sign in, with the user pool of the stack. */
  activeUsers: number;
}

/** Shares from 0 to 1. */
export interface Mix {
  /** Of conversations: those of a group. */
  group: number;
  /** Of sends: those with an Idempotency-Key. */
  once: number;
  /** Of listings of messages: those that find a new message. */
  unread: number;
  /** Of listings of messages: those across conversations. */
  across: number;
  /** Of listings of conversations: those with a flag. */
  flagged: number;
  /** Of updates of conversations: those that pin. */
  pin: number;
}
