import type { operations } from '../../shared/contract/operations.ts';

export type OperationId = (typeof operations)[number]['id'];

/**
 * Table calls and capacity units of a request, including indexes, for items below 1 KB. Tests,
 * mostly in test/budgets/, compare `budgets` with measurements on DynamoDB Local.
 */
export interface Budget {
  calls: number;
  reads: number;
  writes: number;
  /** Additional usage for each group of the caller, if the caller has at most five groups. */
  perGroup?: { calls: number; reads: number };
  /** Units that AWS charges in addition to those that DynamoDB Local reports. */
  atAws?: { reads?: number; writes?: number };
}

/** Additional units at AWS for two new items in a transaction: one for each item. */
const transactionWrites = { writes: 2 };

/** Additional read unit that AWS charges if a query finds no user groups of the caller. */
const membershipRead = { reads: 1 };

export const budgets = {
  'messages/send': {
    direct: { calls: 2, reads: 0, writes: 6 },
    group: { calls: 2, reads: 0, writes: 4 },
    /**
     * The first send to a group in ten minutes, in an execution environment that has sent to the
     * conversation before.
     */
    groupAfterPause: { calls: 3, reads: 0, writes: 5 },
    /** Like `groupAfterPause`, but in another environment. AWS also charges for a failed write. */
    groupAfterPauseElsewhere: { calls: 4, reads: 0, writes: 5, atAws: { writes: 1 } },
    /**
     * A send to a user group, in an execution environment that has sent to the conversation before.
     */
    userGroup: { calls: 3, reads: 1, writes: 4 },
    /** Like `userGroup`, but in another environment. AWS also charges for a failed write. */
    userGroupElsewhere: { calls: 4, reads: 1, writes: 4, atAws: { writes: 1 } },
    directOnce: { calls: 3, reads: 1, writes: 7, atAws: transactionWrites },
    groupOnce: { calls: 3, reads: 1, writes: 5, atAws: transactionWrites },
    /** A send with one uploaded attachment. */
    withUpload: { calls: 3, reads: 1, writes: 11 },
  },
  'messages/list': {
    /**
     * A request that reads the sender, and marks one message as read and the conversation as
     * opened.
     */
    oneNew: { calls: 4, reads: 4, writes: 2 },
    nothingNew: { calls: 2, reads: 4, writes: 0 },
    /** A list across conversations: ten messages, all from one busy conversation. */
    acrossOne: { calls: 5, reads: 3.5, writes: 0, atAws: membershipRead },
    /** A list across conversations: ten messages, one from each of ten conversations. */
    acrossTen: { calls: 15, reads: 21.5, writes: 0, atAws: membershipRead },
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
  'attachments/create': {
    /** A request that also updates the caller's daily count of uploaded bytes. */
    new: { calls: 2, reads: 1, writes: 6, atAws: { reads: 1 } },
  },
  'attachments/retrieve': {
    sent: { calls: 2, reads: 3, writes: 0 },
  },
  'events/list': {
    nothingNew: {
      calls: 2,
      reads: 1,
      writes: 0,
      perGroup: { calls: 1, reads: 1 },
      atAws: membershipRead,
    },
    /** Ten new messages in one conversation. */
    tenNew: {
      calls: 3,
      reads: 12,
      writes: 0,
      perGroup: { calls: 1, reads: 1 },
      atAws: membershipRead,
    },
  },
  'live/retrieve': {
    known: {
      calls: 2,
      reads: 1,
      writes: 0,
      perGroup: { calls: 1, reads: 1 },
      atAws: membershipRead,
    },
  },
  'conversations/list': {
    all: {
      calls: 4,
      reads: 6,
      writes: 0,
      perGroup: { calls: 1, reads: 0.5 },
      atAws: membershipRead,
    },
    /** Ten conversations with their contacts and last messages. The contacts are not cached. */
    expanded: {
      calls: 5,
      reads: 36,
      writes: 0,
      perGroup: { calls: 1, reads: 0.5 },
      atAws: membershipRead,
    },
    /** Like `expanded`, with unread counts. Three conversations have unread messages. */
    threeUnread: {
      calls: 8,
      reads: 37.5,
      writes: 0,
      perGroup: { calls: 1, reads: 0.5 },
      atAws: membershipRead,
    },
    /** A request with a value of `exclude[]` that matches no conversation. */
    excluding: {
      calls: 4,
      reads: 6.5,
      writes: 0,
      perGroup: { calls: 1, reads: 0.5 },
      atAws: membershipRead,
    },
    /** A list filtered by contact, with one match. */
    withContact: { calls: 3, reads: 2, writes: 0 },
    oneFlag: { calls: 6, reads: 13, writes: 0, atAws: membershipRead },
    twoFlags: { calls: 4, reads: 12, writes: 0, atAws: membershipRead },
    threeFlags: { calls: 3, reads: 11.5, writes: 0, atAws: membershipRead },
  },
  'conversations/create': {
    /** A request that also checks whether one contact blocks the other. */
    direct: { calls: 2, reads: 1, writes: 4 },
    group: { calls: 2, reads: 0, writes: 3 },
    userGroup: { calls: 3, reads: 1, writes: 3 },
    /** A group conversation that names a contact. */
    named: { calls: 2, reads: 0, writes: 5 },
    /** A `distinct` request that finds no conversation with the contact. */
    distinctCreated: { calls: 4, reads: 2, writes: 10, atAws: { reads: 0.5 } },
    /** A `distinct` request that finds the distinct conversation. */
    distinctFound: { calls: 2, reads: 3, writes: 0 },
    /** A `distinct` request that finds only a conversation created without `distinct`. */
    distinctRecorded: { calls: 4, reads: 3.5, writes: 8 },
  },
  'conversations/retrieve': {
    known: { calls: 1, reads: 2, writes: 0 },
    /** A conversation with its contact and last message. The contact is not cached. */
    expanded: { calls: 3, reads: 3.5, writes: 0 },
  },
  'conversations/update': {
    firstFlag: { calls: 2, reads: 2, writes: 2 },
    nextFlag: { calls: 2, reads: 2, writes: 3 },
    flagIfMatch: { calls: 2, reads: 2, writes: 6 },
    /** A request that marks ten messages as unread. */
    markUnread: { calls: 2, reads: 2, writes: 1 },
    /** A request that marks ten messages as read. Only the last message is new. */
    readOne: { calls: 4, reads: 4, writes: 2 },
    pin: { calls: 2, reads: 2, writes: 8 },
    unchanged: { calls: 1, reads: 2, writes: 0 },
  },
  'conversations/delete': {
    direct: { calls: 1, reads: 0, writes: 5 },
    group: { calls: 1, reads: 0, writes: 3 },
    /** A conversation of a user group. AWS charges even for the first write, which fails. */
    userGroup: { calls: 3, reads: 1, writes: 3, atAws: { writes: 1 } },
    directIfMatch: { calls: 2, reads: 2, writes: 12 },
  },
  'readers/list': {
    two: { calls: 4, reads: 4, writes: 0 },
  },
  /**
   * AWS charges twice for every write and check in a transaction. DynamoDB Local charges twice only
   * for some writes and checks.
   */
  'groups/create': {
    /** A request with one other member and an Idempotency-Key. */
    ofTwo: { calls: 3, reads: 3, writes: 6, atAws: { writes: 14 } },
  },
  'groups/list': {
    one: { calls: 2, reads: 2, writes: 0 },
  },
  'groups/retrieve': {
    known: { calls: 1, reads: 2, writes: 0 },
  },
  'groups/update': {
    title: { calls: 2, reads: 2, writes: 2, atAws: { writes: 2 } },
  },
  'groups/delete': {
    ofThree: { calls: 6, reads: 2.5, writes: 12 },
  },
  'members/list': {
    three: { calls: 2, reads: 2.5, writes: 0 },
  },
  'members/put': {
    new: { calls: 3, reads: 2, writes: 6, atAws: { writes: 7 } },
  },
  'members/remove': {
    other: { calls: 2, reads: 3, writes: 6, atAws: { writes: 3 } },
  },
  'blocks/create': {
    /** A block that changes one direct conversation. */
    oneConversation: { calls: 4, reads: 0.5, writes: 6 },
  },
  'blocks/delete': {
    oneConversation: { calls: 5, reads: 0.5, writes: 7 },
  },
  'blocks/list': {
    ten: { calls: 1, reads: 1, writes: 0 },
  },
  'settings/retrieve': {
    known: { calls: 1, reads: 1, writes: 0 },
  },
  'settings/update': {
    known: { calls: 1, reads: 0, writes: 1 },
  },
  'contacts/retrieve': {
    direct: { calls: 4, reads: 2, writes: 0, atAws: membershipRead },
    /** A group member who has no direct conversation with the caller. */
    inGroup: {
      ...{ calls: 5, reads: 1.5, writes: 0, perGroup: { calls: 2, reads: 0.5 } },
      /**
       * Four empty queries take half a unit each, and the membership query takes one unit. The
       * empty queries include those for the direct conversation and two groups of the caller.
       */
      atAws: { reads: 3 },
    },
    oneself: { calls: 1, reads: 0.5, writes: 0 },
  },
  'reports/create': {
    /** A request that first checks for an earlier report. The sender's profile is cached. */
    message: { calls: 3, reads: 3, writes: 2 },
    again: { calls: 1, reads: 1, writes: 0 },
  },
  'business/list': {
    ofAKilobyte: { calls: 1, reads: 1.5, writes: 0 },
  },
  'business/retrieve': {
    known: { calls: 1, reads: 1, writes: 0 },
  },
} as const satisfies Partial<Record<OperationId, Record<string, Budget>>>;

/** Assumed budget of operations that `budgets` does not list: one read call and one write call. */
export const unmeasuredBudget: Budget = { calls: 2, reads: 2, writes: 3 };

/** Table usage of purging a deleted conversation in the background. */
export const purgeBudget = {
  /** Write units per message below 1 KB. */
  writesPerMessage: 1,
  /** Write units for the tombstone and its index entry. */
  writes: 2,
  /** Read units for the first read of the tombstone and for two empty queries at the end. */
  reads: 2,
} as const;

/**
 * Table usage for recording a malware scan's result, depending on whether a message with the file
 * has been sent.
 */
export const scanBudget = {
  beforeSend: { calls: 1, reads: 0, writes: 1 },
  afterSend: { calls: 3, reads: 1, writes: 2 },
} as const;

/**
 * Table usage and publish requests of the live worker for one stream batch with up to five changes
 * in a conversation. `aChunk` and `aGroupChunk` are the additional cost of a new feed chunk.
 */
export const liveBudget = {
  direct: { calls: 2, reads: 0, writes: 2, publishes: 2 },
  /** A member opens a direct conversation, which marks its messages as read. */
  opened: { calls: 4, reads: 4.5, writes: 2, publishes: 2 },
  group: { calls: 1, reads: 0, writes: 1, publishes: 1 },
  /** A member changes a flag or opens a group conversation. */
  oneself: { calls: 1, reads: 0, writes: 1, publishes: 1 },
  /** Additional cost of setting the expiry of the previous, full chunk. */
  aChunk: { writes: 1 },
  /** Like `aChunk`, plus the cost of raising the group's upper bound `newest_chunk`. */
  aGroupChunk: { writes: 2 },
} as const;

export const entriesPerChunk = 16;
