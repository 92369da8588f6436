import { type AttachmentPosition, idAlphabet } from '../../ids.ts';
import type { Inbox } from '../../inbox.ts';
import {
  assignmentSort,
  attachmentSortPrefix,
  blockSortPrefix,
  contentSortPrefix,
  conversationSort,
  feedMaintenanceSort,
  indexes,
  messageSortPrefix,
  pairBlocksSort,
  reportSortPrefix,
  settingsSortPrefix,
  type tableKey,
} from './names.ts';

/** Primary key. `#` separates the key's parts. Ids contain no `#`, so keys are unique. */
export type Key = Record<(typeof tableKey)['partition' | 'sort'], string>;

const sequenceDigits = 12;

const padSequence = (sequence: number) => String(sequence).padStart(sequenceDigits, '0');

const conversationPartition = (conversationId: string) => `CONVERSATION#${conversationId}`;

export const conversationKey = (conversationId: string): Key => ({
  pk: conversationPartition(conversationId),
  sk: conversationSort,
});

export const parseConversationPartition = ({ pk }: { pk: string }): string | undefined =>
  pk.startsWith(conversationPartition('')) ? pk.slice(conversationPartition('').length) : undefined;

/** Returns the key of the item that assigns a business's conversation to a contact. */
export const assignmentKey = (conversationId: string): Key => ({
  pk: conversationPartition(conversationId),
  sk: assignmentSort,
});

/**
 * Returns the gsi3 partition of a group's conversations with this assignee. Default: unassigned.
 */
export const assignedPartition = (groupId: string, contactId = '') =>
  `ASSIGNED#${groupId}#${contactId}`;

/** Returns an assignment's gsi3 keys, which sort by the conversation's id. */
export const toAssignedKeys = (conversationId: string, groupId: string, contactId?: string) => ({
  [indexes.gsi3.partition]: assignedPartition(groupId, contactId),
  [indexes.gsi3.sort]: conversationId,
});

/** Returns the key of a participant's settings: flags, opening time and read position. */
export const settingsKey = (conversationId: string, contactId: string): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${settingsSortPrefix}${contactId}`,
});

export const parseSettingsOwner = (sk: string): string => sk.slice(settingsSortPrefix.length);

export const messageKey = (conversationId: string, sequence: number): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${messageSortPrefix}${padSequence(sequence)}`,
});

/** Returns a content item's key or, if no id is given, the prefix of a message's content items. */
export const contentKey = (conversationId: string, sequence: number, contentId = ''): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${contentSortPrefix}${padSequence(sequence)}#${contentId}`,
});

/** Returns the key of an uploaded attachment. */
export const attachmentKey = ({ conversationId, fileId }: AttachmentPosition): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${attachmentSortPrefix}${fileId}`,
});

/** Parses an attachment's key; `undefined` for other keys. */
export function parseAttachmentKey(key: Key): AttachmentPosition | undefined {
  const conversationId = parseConversationPartition(key);
  return conversationId !== undefined && key.sk.startsWith(attachmentSortPrefix)
    ? { conversationId, fileId: key.sk.slice(attachmentSortPrefix.length) }
    : undefined;
}

/** Parses the sort key of a message or a content item. Only a content item has a content id. */
export function parseMessageSort(sk: string): { sequence: number; contentId?: string } {
  const [, sequence = '', contentId] = sk.split('#');
  return { sequence: Number(sequence), ...(contentId && { contentId }) };
}

export const maxSequence = 10 ** sequenceDigits - 1;

export const contactKey = (contactId: string): Key => ({
  pk: `CONTACT#${contactId}`,
  sk: 'CONTACT',
});

/** Returns an idempotency record's key; `hash` is the hash of the Idempotency-Key. */
export const idempotencyRecordKey = (contactId: string, operation: string, hash: string): Key => ({
  pk: `CONTACT#${contactId}`,
  sk: `IDEMPOTENCY#${operation}#${hash}`,
});

/** Returns the key of a reporter's report on a message, contact or business. */
export const reportKey = (reporter: string, kind: string, subjectId: string): Key => ({
  pk: contactKey(reporter).pk,
  sk: `${reportSortPrefix}${kind}#${subjectId}`,
});

/**
 * Returns a report's gsi3 partition. Open and closed reports have 32 partitions each. A partition
 * accepts 1,000 writes per second.
 */
export const reportPartition = (id: string, isOpen: boolean) =>
  `REPORTS#${isOpen ? 'OPEN' : 'CLOSED'}#${id.slice(-1)}`;
export const getReportPartitions = (isOpen: boolean) =>
  [...idAlphabet].map((end) => reportPartition(end, isOpen));

/** Returns a report's gsi3 keys, which sort by id. */
export const toReportKeys = (id: string, isOpen: boolean) => ({
  [indexes.gsi3.partition]: reportPartition(id, isOpen),
  [indexes.gsi3.sort]: id,
});

/** Returns an unsent upload's gsi3 partition. Unsent uploads have 32 partitions, like reports. */
export const unsentPartition = (id: string) => `UNSENT#${id.slice(-1)}`;
export const unsentPartitions = [...idAlphabet].map(unsentPartition);

/** Returns the gsi3 keys of an upload that no message contains. `expiresAt` is in Unix seconds. */
export const toUnsentKeys = (id: string, expiresAt: number) => ({
  [indexes.gsi3.partition]: unsentPartition(id),
  [indexes.gsi3.sort]: toActivitySortKey(expiresAt * 1000, id),
});

/** Returns the key of a person's request count for one minute; `hash` is the contact id's hash. */
export const requestCountKey = (hash: string, minute: number): Key => ({
  pk: `REQUESTS#${hash}`,
  sk: `MINUTE#${minute}`,
});

/**
 * Returns the key of a person's uploaded-byte count for one day; `hash` is the contact id's hash.
 */
export const uploadCountKey = (hash: string, day: number): Key => ({
  pk: `UPLOADS#${hash}`,
  sk: `DAY#${day}`,
});

/** Returns the gsi1 or gsi2 partition that lists a contact's or group's conversations. */
export const contactInboxPartition = (contactId: string) => `INBOX#CONTACT#${contactId}`;
export const groupInboxPartition = (groupId: string) => `INBOX#GROUP#${groupId}`;

/** Returns the key of a group's upper bounds: see group-heads.ts. */
export const groupHeadKey = (groupId: string): Key => ({ pk: `GROUP#${groupId}`, sk: 'HEAD' });

/** Returns an index sort key: a timestamp, such as the time of the last activity, then an id. */
export const toActivitySortKey = (milliseconds: number, conversationId: string) =>
  `${String(milliseconds).padStart(15, '0')}#${conversationId}`;

/** Returns a conversation's index keys in its one or two inboxes. */
export const toInboxKeys = (one: string, other: string | undefined, activeAt: string) => ({
  [indexes.gsi1.partition]: one,
  [indexes.gsi2.partition]: other,
  [indexes.gsi1.sort]: activeAt,
});

/**
 * Returns an id's gsi1 purge partition. Each of the 32 partitions accepts 1,000 writes per second.
 */
export const purgePartition = (conversationId: string) => `PURGE#${conversationId.slice(-1)}`;
export const purgePartitions = [...idAlphabet].map(purgePartition);

/** Returns the gsi1 keys of a deleted conversation or group. `deletedAt` is in milliseconds. */
export const toPurgeKeys = (conversationId: string, deletedAt: number) => ({
  [indexes.gsi1.partition]: purgePartition(conversationId),
  [indexes.gsi1.sort]: toActivitySortKey(deletedAt, conversationId),
});

export interface Flags {
  muted: boolean;
  archived: boolean;
  pinned: boolean;
}

/** Returns the gsi3 partition of conversations with exactly these flags, sorted by id. */
export const flaggedPartition = (contactId: string, { muted, archived, pinned }: Flags) =>
  `FLAGGED#${contactId}#${[muted, archived, pinned].map(Number).join('')}`;

const booleans = [false, true];

export const allFlagSets: readonly Flags[] = booleans.flatMap((muted) =>
  booleans.flatMap((archived) => booleans.map((pinned) => ({ muted, archived, pinned }))),
);

/** Returns the gsi3 keys of a settings item: none if no flag is set. */
export const toFlaggedKeys = (conversationId: string, contactId: string, flags: Flags) => {
  const isFlagged = flags.muted || flags.archived || flags.pinned;
  return {
    [indexes.gsi3.partition]: isFlagged ? flaggedPartition(contactId, flags) : undefined,
    [indexes.gsi3.sort]: isFlagged ? conversationId : undefined,
  };
};

/** Returns the gsi3 partition of two contacts' direct conversations, sorted by id. */
export const pairPartition = (one: string, other: string) =>
  one < other ? `PAIR#${one}#${other}` : `PAIR#${other}#${one}`;

export const distinctKey = (one: string, other: string): Key => ({
  pk: pairPartition(one, other),
  sk: distinctSort,
});

/**
 * Returns the key of a contact's distinct conversation with a business. No pair of contacts has
 * this key, because contact ids are not empty.
 */
export const distinctBusinessKey = (contactId: string, publicId: string): Key => ({
  pk: `PAIR#${contactId}##${publicId}`,
  sk: distinctSort,
});

/** Returns the key of a pair's block record. */
export const pairBlocksKey = (one: string, other: string): Key => ({
  pk: pairPartition(one, other),
  sk: pairBlocksSort,
});

/** Returns the two contact ids in a pair's partition key, in ascending order. */
export function parsePair({ pk }: { pk: string }): [string, string] {
  const [, first = '', second = ''] = pk.split('#');
  return [first, second];
}

/** Returns the key of a block in the blocker's list, which is sorted by time (milliseconds). */
export const blockKey = (blocker: string, { contactId, at }: BlockPosition): Key => ({
  pk: contactKey(blocker).pk,
  sk: `${blockSortPrefix}${String(at).padStart(15, '0')}#${contactId}`,
});
export interface BlockPosition {
  contactId: string;
  at: number;
}

/** Returns a distinct record's key from the partition key stored on a conversation. */
export const toDistinctKey = (pk: string): Key => ({ pk, sk: distinctSort });
const distinctSort = 'DISTINCT';

/** Returns the gsi3 partition of group conversations with a contact, sorted by group and id. */
export const namedPartition = (contactId: string) => `NAMED#${contactId}`;
/**
 * Returns a conversation's sort key in `namedPartition`. If the conversation id is omitted, returns
 * the prefix of the group's keys.
 */
export const namedSort = (groupId: string, conversationId = '') => `${groupId}#${conversationId}`;

/** Returns a conversation's gsi3 keys, or none if the conversation has no contact. */
export const toPairKeys = (
  conversationId: string,
  { created_by, contact_id, group_id }: PairFields,
) => {
  if (contact_id === undefined) return {};
  const [partition, sort] =
    group_id === undefined
      ? [pairPartition(created_by, contact_id), conversationId]
      : [namedPartition(contact_id), namedSort(group_id, conversationId)];
  return { [indexes.gsi3.partition]: partition, [indexes.gsi3.sort]: sort };
};

interface PairFields {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
}

/** Returns the key of the feed chunk that starts with sequence number `first` (at least 1). */
export const chunkKey = (inbox: Inbox, first: number): Key => ({
  pk: toFeedPartition(inbox),
  sk: `${chunkSortPrefix}${padSequence(first)}`,
});
export const chunkSortPrefix = 'CHUNK#';
const feedPrefix = 'FEED#';
const feedPartitionPrefixes = { contact: `${feedPrefix}CONTACT#`, group: `${feedPrefix}GROUP#` };
const toFeedPartition = ({ kind, id }: Inbox) => `${feedPartitionPrefixes[kind]}${id}`;

/** Returns the key of the item whose expiry triggers feed maintenance. */
export const feedMaintenanceKey = (inbox: Inbox): Key => ({
  pk: toFeedPartition(inbox),
  sk: feedMaintenanceSort,
});

export function parseFeedInbox({ pk }: { pk: string }): Inbox | undefined {
  const kind = (['contact', 'group'] as const).find((one) =>
    pk.startsWith(feedPartitionPrefixes[one]),
  );
  return kind && { kind, id: pk.slice(feedPartitionPrefixes[kind].length) };
}

/** Key of the feed epoch: see feed-epoch.ts. */
export const epochKey: Key = { pk: `${feedPrefix}EPOCH`, sk: 'EPOCH' };
