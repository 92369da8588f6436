/**
 * The table's key attributes and indexes: the one list that the stack that makes the table and the code that uses it
 * both read. All keys are strings. See keys.ts for what the values are.
 */
export const tableKey = { partition: 'pk', sort: 'sk' } as const;

interface Index {
  partition: string;
  sort: string;
  /** What the index holds beside its keys and the table's; without it, whole items. */
  attributes?: readonly string[];
}

export const indexes = {
  /** Conversations of a creator or of a group, by activity; active businesses. */
  gsi1: { partition: 'gsi1pk', sort: 'activity' },
  /** Conversations in which somebody is the named contact, by activity. */
  gsi2: { partition: 'gsi2pk', sort: 'activity' },
  /**
   * Conversations that somebody has pinned, muted or archived, and those of two contacts, by conversation; those of groups
   * that name a contact, by group. It holds what lists of these need to know, and nothing that a message changes: so no send
   * writes to it.
   */
  gsi3: {
    partition: 'gsi3pk',
    sort: 'gsi3sk',
    attributes: [
      ...['is_pinned', 'is_muted', 'archived_at', 'last_opened_at', 'is_named'],
      ...['created_by', 'contact_id', 'group_id'],
    ],
  },
} as const satisfies Record<string, Index>;
export type IndexName = keyof typeof indexes;

/** Sort key of a conversation's own item, and what it has once the conversation is deleted: this wakes the purge worker. */
export const conversationSort = 'CONVERSATION';
export const deletionAttribute = 'deleted_at';

/**
 * What the sort keys begin with of the messages and of everybody's settings that are beside it; and what a conversation
 * has, and a message, as long as it is not deleted. By these the live worker is woken.
 */
export const messageSortPrefix = 'MESSAGE#';
export const settingsSortPrefix = 'SETTINGS#';
export const idAttribute = 'id';

/** Sort key of the item whose removal, when it has expired, wakes the purge worker to look after a feed. */
export const feedMaintenanceSort = 'CHECK';

/** Unix seconds after which DynamoDB removes the item. */
export const expiryAttribute = 'expires_at';

/** What a contact has once they were erased: when, in milliseconds. */
export const erasureAttribute = 'erased_at';
/** What they have besides once a look at the whole table has found nothing of them: when that look began, in milliseconds. */
export const erasureEndAttribute = 'erased_through';
