/**
 * The table's key attributes and indexes: the one list that the stack that makes the table and the code that uses it
 * both read. All keys are strings. See keys.ts for what the values are.
 */
export const tableKey = { partition: 'pk', sort: 'sk' } as const;

export const indexes = {
  /** Conversations of a creator or of a group, by activity; active businesses. */
  gsi1: { partition: 'gsi1pk', sort: 'activity' },
  /** Conversations in which somebody is the named contact, by activity. */
  gsi2: { partition: 'gsi2pk', sort: 'activity' },
  /** Conversations that somebody has pinned, muted or archived, by conversation. */
  gsi3: { partition: 'gsi3pk', sort: 'gsi3sk' },
} as const;
export type IndexName = keyof typeof indexes;

/** Sort key of a conversation's own item, and what it has once the conversation is deleted: this wakes the purge worker. */
export const conversationSort = 'CONVERSATION';
export const deletionAttribute = 'deleted_at';

/** Unix seconds after which DynamoDB removes the item. */
export const expiryAttribute = 'expires_at';
