/**
 * Names of the key attributes of the table and its indexes. The key attributes are strings. keys.ts
 * builds their values.
 */
export const tableKey = { partition: 'pk', sort: 'sk' } as const;

interface Index {
  partition: string;
  sort: string;
  /** Attributes projected in addition to the keys. If absent, the index projects all attributes. */
  attributes?: readonly string[];
}

export const indexes = {
  /**
   * Lists conversations of a creator or a group by activity. Also lists group members, the deleted
   * conversations and groups to purge, and active businesses with their search entries.
   */
  gsi1: { partition: 'gsi1pk', sort: 'activity' },
  /** Lists conversations of the named contact by activity. */
  gsi2: { partition: 'gsi2pk', sort: 'activity' },
  /**
   * Lists flagged conversations, conversations of two contacts, reports and assignments by id. Also
   * lists group conversations with a contact by group, and unsent uploads by expiry. A message
   * changes no projected attribute, so a send without uploads writes nothing to this index.
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

export const conversationSort = 'CONVERSATION';
/** Attribute by which the purge worker's filter selects tombstones. */
export const deletionAttribute = 'deleted_at';

/** Sort key of the item that indexes a business's conversation by assignee. */
export const assignmentSort = 'ASSIGNMENT';

/** Names in the workers' filters: sort key prefixes, and an attribute that deleted items lack. */
export const messageSortPrefix = 'MESSAGE#';
export const contentSortPrefix = 'MESSAGE_CONTENT#';
export const settingsSortPrefix = 'SETTINGS#';
export const businessSortPrefix = 'BUSINESS#';
export const idAttribute = 'id';
/**
 * Present on a conversation or group if its latest update caused an event. Sending a message or
 * adding a member removes the attribute, so that the live worker's filter drops the update.
 */
export const sharedChangeAttribute = 'shared_change';
export const attachmentSortPrefix = 'ATTACHMENT#';
/** Key prefix of uploaded files in the bucket. */
export const filePrefix = 'files/';
/** Key prefix of thumbnails in the bucket. */
export const thumbnailPrefix = 'thumbnails/';
/** Attribute of a message with uploads, and of its tombstone until the files are removed. */
export const attachmentIdsAttribute = 'attachment_ids';
/** Attribute of a message whose content is in a content item, for the purge worker's filter. */
export const contentIdAttribute = 'content_id';

/** Sort key of a pair's block record, and sort key prefix of the blocks in a blocker's list. */
export const pairBlocksSort = 'BLOCKS';
export const blockSortPrefix = 'BLOCK#';
export const reportSortPrefix = 'REPORT#';

/** Sort key of the item whose expiry triggers feed maintenance by the purge worker. */
export const feedMaintenanceSort = 'CHECK';

/** Sort key of a group, and sort key prefix of memberships in the contact's partition. */
export const groupSort = 'GROUP';
export const membershipSortPrefix = 'MEMBERSHIP#';

/** Timestamp (Unix seconds) after which DynamoDB removes the item. */
export const expiryAttribute = 'expires_at';

/** Timestamp (milliseconds) at which the contact was erased. */
export const erasureAttribute = 'erased_at';
/** Start time of the table scan that found no remaining data of the contact (milliseconds). */
export const erasureEndAttribute = 'erased_through';
