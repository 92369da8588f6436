import type { operations } from '../../shared/contract/operations.ts';

export type OperationId = (typeof operations)[number]['id'];

/**
 * What an operation asks of the table: calls, and the capacity units charged for items below 1 KB, indexes included.
 * The numbers are DynamoDB Local's, measured by the tests that read this table: the budgets tests in test/functions/.
 */
export interface Budget {
  calls: number;
  reads: number;
  writes: number;
  /** For each group that the caller is in. */
  perGroup?: { calls: number; reads: number };
  /** What AWS charges on top, where DynamoDB Local charges less than AWS. */
  atAws?: { reads?: number; writes?: number };
}

/** Two new items in a transaction: AWS charges each of them twice, DynamoDB Local once. */
const doubled = { writes: 2 };

export const budgets = {
  'messages/send': {
    direct: { calls: 2, reads: 0, writes: 6 },
    group: { calls: 2, reads: 0, writes: 4 },
    directOnce: { calls: 3, reads: 1, writes: 7, atAws: doubled },
    groupOnce: { calls: 3, reads: 1, writes: 5, atAws: doubled },
  },
  'messages/list': {
    /** Also asks who the sender is, marks one message as read and the conversation as opened. */
    oneNew: { calls: 4, reads: 4, writes: 2 },
    nothingNew: { calls: 2, reads: 4, writes: 0 },
    /** Ten messages across conversations, of which one is busy. */
    acrossOne: { calls: 4, reads: 3.5, writes: 0 },
    /** Ten messages across ten conversations that take turns. */
    acrossTen: { calls: 14, reads: 21.5, writes: 0 },
  },
  'messages/retrieve': {
    known: { calls: 1, reads: 2, writes: 0 },
  },
  'messages/update': {
    plain: { calls: 2, reads: 1, writes: 1 },
  },
  'messages/delete': {
    plain: { calls: 2, reads: 1, writes: 1 },
  },
  'events/list': {
    nothingNew: { calls: 1, reads: 1, writes: 0, perGroup: { calls: 1, reads: 1 } },
    /** Ten new messages of one conversation. */
    tenNew: { calls: 2, reads: 12, writes: 0, perGroup: { calls: 1, reads: 1 } },
  },
  'live/retrieve': {
    known: { calls: 1, reads: 1, writes: 0, perGroup: { calls: 1, reads: 1 } },
  },
  'conversations/list': {
    all: { calls: 3, reads: 6, writes: 0, perGroup: { calls: 1, reads: 0.5 } },
    /** With contacts and last messages, of ten people who are not in memory. */
    expanded: { calls: 4, reads: 36, writes: 0, perGroup: { calls: 1, reads: 0.5 } },
    /** With what is unread as well, in three of them. */
    threeUnread: { calls: 7, reads: 39, writes: 0, perGroup: { calls: 1, reads: 0.5 } },
    /** With a word in `exclude[]`, and nothing to leave out. */
    excluding: { calls: 3, reads: 6.5, writes: 0, perGroup: { calls: 1, reads: 0.5 } },
    /** The one conversation with a contact. */
    withContact: { calls: 3, reads: 2, writes: 0 },
    oneFlag: { calls: 5, reads: 13, writes: 0 },
    twoFlags: { calls: 3, reads: 12, writes: 0 },
    threeFlags: { calls: 2, reads: 11.5, writes: 0 },
  },
  'conversations/create': {
    direct: { calls: 1, reads: 0, writes: 4 },
    group: { calls: 1, reads: 0, writes: 2 },
    /** Of a group that names a contact. */
    named: { calls: 1, reads: 0, writes: 4 },
    /** The one with a contact: where there is none, where there is one, and where there is one that was made plainly. */
    distinctMade: { calls: 3, reads: 1, writes: 10, atAws: { reads: 0.5 } },
    distinctFound: { calls: 2, reads: 3, writes: 0 },
    distinctNoted: { calls: 4, reads: 3.5, writes: 8 },
  },
  'conversations/retrieve': {
    known: { calls: 1, reads: 2, writes: 0 },
    /** With contact and last message, both not in memory. */
    expanded: { calls: 3, reads: 3.5, writes: 0 },
  },
  'conversations/update': {
    firstFlag: { calls: 2, reads: 2, writes: 2 },
    nextFlag: { calls: 2, reads: 2, writes: 3 },
    flagIfMatch: { calls: 2, reads: 2, writes: 6 },
    /** Up to a message that is new, of ten. */
    readOne: { calls: 4, reads: 4, writes: 2 },
    pin: { calls: 2, reads: 2, writes: 8 },
    unchanged: { calls: 1, reads: 2, writes: 0 },
  },
  'conversations/delete': {
    direct: { calls: 1, reads: 0, writes: 5 },
    group: { calls: 1, reads: 0, writes: 3 },
    directIfMatch: { calls: 2, reads: 2, writes: 12 },
  },
  'contacts/retrieve': {
    direct: { calls: 3, reads: 2, writes: 0 },
    /** A member of a group, of somebody who is in no direct conversation with them. */
    inGroup: {
      ...{ calls: 4, reads: 1.5, writes: 0, perGroup: { calls: 2, reads: 0.5 } },
      /** Half a unit for what nothing is found by: whether they are a pair, and whom the caller's two groups name, and others. */
      atAws: { reads: 2 },
    },
    oneself: { calls: 1, reads: 0.5, writes: 0 },
  },
  'business/list': {
    ofAKilobyte: { calls: 1, reads: 1.5, writes: 0 },
  },
} as const satisfies Partial<Record<OperationId, Record<string, Budget>>>;

/** What an operation is taken to ask that is not in the table above: a look and a change, as most of them. */
export const unmeasured: Budget = { calls: 2, reads: 2, writes: 3 };

/** What removing a deleted conversation asks of the table, in the background. */
export const purgeBudget = {
  /** For each message below 1 KB. */
  writesPerMessage: 1,
  /** The tombstone, and its place in the index. */
  writes: 2,
  /** The tombstone, looked at before anything is removed, and the two empty looks at the end. */
  reads: 2,
} as const;

/**
 * What the live worker asks of the table, and how often it publishes, for what one batch of the stream tells of a
 * conversation, up to five changes of it; and what a chunk of a feed costs beyond its entries.
 */
export const liveBudget = {
  direct: { calls: 2, writes: 2, publishes: 2 },
  group: { calls: 1, writes: 1, publishes: 1 },
  /** A flag, or an opening. */
  oneself: { calls: 1, writes: 1, publishes: 1 },
  /** Beyond the entry that begins it: the full one before it gets its expiry. */
  aChunk: { writes: 1 },
} as const;

/** So many entries fill a chunk. */
export const entriesInChunk = 16;
