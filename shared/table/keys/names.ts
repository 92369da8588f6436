/**
 * Key attributes and indexes of the table, all strings, for the stack and the code: see keys.ts.
 */
export const tableKey = { partition: 'pk', sort: 'sk' } as const;

interface Index {
  partition: string;
  sort: string;
  /** Attributes projected in addition to the keys. Without it, the index projects whole items. */
  attributes?: readonly string[];
}

export const indexes = {
  /** Conversations of a creator or a group, by activity; active businesses. */
  gsi1: { partition: 'gsi1pk', sort: 'activity' },
  /** Conversations of the named contact, by activity. */
  gsi2: { partition: 'gsi2pk', sort: 'activity' },
  /**
   * Flagged conversations and conversations of two contacts, by conversation id; group
   * conversations that name a contact, by group; reports and assignments, by id; unsent uploads, by
   * expiry. It projects only what their lists need and no attribute that a message changes, so a
   * send without uploads writes nothing to it.
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

/** Sort key of a conversation, and its attribute when deleted, which triggers the purge. */
export const conversationSort = 'CONVERSATION';
export const deletionAttribute = 'deleted_at';

/** Sort key of the item that indexes a conversation with a business by who is assigned to it. */
export const assignmentSort = 'ASSIGNMENT';

/** Sort key prefixes, and an attribute of items that are not deleted, for the worker's filter. */
export const messageSortPrefix = 'MESSAGE#';
export const contentSortPrefix = 'MESSAGE_CONTENT#';
export const settingsSortPrefix = 'SETTINGS#';
export const businessSortPrefix = 'BUSINESS#';
export const idAttribute = 'id';
/**
 * Attribute of a conversation while its latest update is an event for all participants. A send
 * removes it, so that the live worker's filter drops the update.
 */
export const sharedChangeAttribute = 'shared_change';
/** Sort key prefix of an uploaded attachment, in the partition of its conversation. */
export const attachmentSortPrefix = 'ATTACHMENT#';
/** Prefix of the keys of uploaded files, in the bucket. */
export const filePrefix = 'files/';
/** Prefix of the keys of their thumbnails. */
export const thumbnailPrefix = 'thumbnails/';
/** Attribute of a message, and of its tombstone until its files are removed. */
export const attachmentIdsAttribute = 'attachment_ids';
/** Attribute of a message whose content is in a content item, for the purge worker's filter. */
export const contentIdAttribute = 'content_id';

/** Sort key of the record of two contacts of whom one blocks the other, and of a list's blocks. */
export const pairBlocksSort = 'BLOCKS';
export const blockSortPrefix = 'BLOCK#';
/** Sort key prefix of a report, in the partition of its reporter. */
export const reportSortPrefix = 'REPORT#';

/** Sort key of the item whose expiry triggers feed maintenance by the purge worker. */
export const feedMaintenanceSort = 'CHECK';

/** Sort keys of a group, and of a person's membership in one, in the partition of the contact. */
export const groupSort = 'GROUP';
export const membershipSortPrefix = 'MEMBERSHIP#';

/** Unix seconds after which DynamoDB removes the item. */
export const expiryAttribute = 'expires_at';

/** When the contact was erased (milliseconds). */
export const erasureAttribute = 'erased_at';
/** When the table scan started that found no more data of an erased contact (milliseconds). */
export const erasureEndAttribute = 'erased_through';
