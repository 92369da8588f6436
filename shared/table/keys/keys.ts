import { idAlphabet } from '../../ids.ts';
import type { Inbox } from '../../inbox.ts';
import {
  conversationSort,
  feedMaintenanceSort,
  indexes,
  messageSortPrefix,
  settingsSortPrefix,
  type tableKey,
} from './names.ts';

/**
 * What the key attributes of the table and of its indexes hold, by the kind of item. Each begins with words of ours, and
 * no id contains the `#` that ends them, so no id forges another item's key.
 */
export type Key = Record<(typeof tableKey)['partition' | 'sort'], string>;

const sequenceDigits = 12;

const padSequence = (sequence: number) => String(sequence).padStart(sequenceDigits, '0');

const conversationPartition = (conversationId: string) => `CONVERSATION#${conversationId}`;

export const conversationKey = (conversationId: string): Key => ({
  pk: conversationPartition(conversationId),
  sk: conversationSort,
});

/** The conversation whose partition the item is in; undefined for all other items. */
export const parseConversationPartition = ({ pk }: { pk: string }): string | undefined =>
  pk.startsWith(conversationPartition('')) ? pk.slice(conversationPartition('').length) : undefined;

/** One participant's own view of a conversation: flags and when it was opened. */
export const settingsKey = (conversationId: string, contactId: string): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${settingsSortPrefix}${contactId}`,
});

/** Whose settings an item is that has this sort key. */
export const parseSettingsOwner = (sk: string): string => sk.slice(settingsSortPrefix.length);

/** The place `sequence` (from 1) in a conversation's log. */
export const messageKey = (conversationId: string, sequence: number): Key => ({
  pk: conversationPartition(conversationId),
  sk: `${messageSortPrefix}${padSequence(sequence)}`,
});

export const maxSequence = 10 ** sequenceDigits - 1;

export const contactKey = (contactId: string): Key => ({
  pk: `CONTACT#${contactId}`,
  sk: 'CONTACT',
});

/** The record of what the caller's request with an Idempotency-Key made; `hash` is the key's. */
export const idempotencyRecordKey = (contactId: string, operation: string, hash: string): Key => ({
  pk: `CONTACT#${contactId}`,
  sk: `IDEMPOTENCY#${operation}#${hash}`,
});

/** Partition of gsi1 and gsi2: the conversations of a contact or of a group. */
export const contactInbox = (contactId: string) => `INBOX#CONTACT#${contactId}`;
export const groupInbox = (groupId: string) => `INBOX#GROUP#${groupId}`;

/** Sort key of the inboxes: when there was last any activity (milliseconds), made unique by the conversation's id. */
export const toActivitySortKey = (milliseconds: number, conversationId: string) =>
  `${String(milliseconds).padStart(15, '0')}#${conversationId}`;

/** A conversation's keys of the indexes: the inbox that it is in, another one or none, and when it was active. */
export const toInboxKeys = (one: string, other: string | undefined, activeAt: string) => ({
  [indexes.gsi1.partition]: one,
  [indexes.gsi2.partition]: other,
  [indexes.gsi1.sort]: activeAt,
});

/**
 * Partition of gsi1: conversations that are deleted but not yet gone, by the time of their deletion. There are several,
 * as a partition takes no more than a thousand writes a second, and somebody may delete very many at once.
 */
export const purgePartition = (conversationId: string) => `PURGE#${conversationId.slice(-1)}`;
export const purgePartitions = [...idAlphabet].map(purgePartition);

/** A deleted conversation's keys of the index of those; the time is in milliseconds. */
export const toPurgeKeys = (conversationId: string, deletedAt: number) => ({
  [indexes.gsi1.partition]: purgePartition(conversationId),
  [indexes.gsi1.sort]: toActivitySortKey(deletedAt, conversationId),
});

/** What a participant has made of a conversation. */
export interface Flags {
  muted: boolean;
  archived: boolean;
  pinned: boolean;
}

/** Partition of gsi3: the conversations that the contact has given exactly these flags, sorted by their ids. */
export const flaggedPartition = (contactId: string, { muted, archived, pinned }: Flags) =>
  `FLAGGED#${contactId}#${[muted, archived, pinned].map(Number).join('')}`;

const either = [false, true];

/** All that a participant may have made of a conversation. */
export const allFlagSets: readonly Flags[] = either.flatMap((muted) =>
  either.flatMap((archived) => either.map((pinned) => ({ muted, archived, pinned }))),
);

/** The keys of the index that settings with these flags have: none without a flag. */
export const toFlaggedKeys = (conversationId: string, contactId: string, flags: Flags) => {
  const isFlagged = flags.muted || flags.archived || flags.pinned;
  return {
    [indexes.gsi3.partition]: isFlagged ? flaggedPartition(contactId, flags) : undefined,
    [indexes.gsi3.sort]: isFlagged ? conversationId : undefined,
  };
};

/** Partition of gsi3: the direct conversations of two contacts, whichever of them is named first, sorted by their ids. */
export const pairPartition = (one: string, other: string) =>
  one < other ? `PAIR#${one}#${other}` : `PAIR#${other}#${one}`;

/** Which conversation of two contacts is the one that those who ask for one alone are given. */
export const distinctKey = (one: string, other: string): Key => ({
  pk: pairPartition(one, other),
  sk: distinctSort,
});

/** The same, of a partition key that a conversation has kept. */
export const toDistinctKey = (pk: string): Key => ({ pk, sk: distinctSort });
const distinctSort = 'DISTINCT';

/** Partition of gsi3: the conversations of groups that name a contact, sorted by group, and then by their ids. */
export const namedPartition = (contactId: string) => `NAMED#${contactId}`;
/** Its sort key; that of each conversation of the group begins as it does without one. */
export const namedSort = (groupId: string, conversationId = '') => `${groupId}#${conversationId}`;

/** A conversation's keys of that index: none where it names nobody. */
export const toPairKeys = (conversationId: string, { created_by, contact_id, group_id }: Pair) => {
  if (contact_id === undefined) return {};
  const [partition, sort] =
    group_id === undefined
      ? [pairPartition(created_by, contact_id), conversationId]
      : [namedPartition(contact_id), namedSort(group_id, conversationId)];
  return { [indexes.gsi3.partition]: partition, [indexes.gsi3.sort]: sort };
};

interface Pair {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
}

/** What has happened in an inbox is a log too, kept in chunks: this one begins with the place `first` (from 1). */
export const chunkKey = (inbox: Inbox, first: number): Key => ({
  pk: feedPartitionOf(inbox),
  sk: `${chunkSortPrefix}${padSequence(first)}`,
});
export const chunkSortPrefix = 'CHUNK#';
const feedPartition = 'FEED#';
const feedsOf = { contact: `${feedPartition}CONTACT#`, group: `${feedPartition}GROUP#` };
const feedPartitionOf = ({ kind, id }: Inbox) => `${feedsOf[kind]}${id}`;

/** The item of a feed that expires when somebody is to look after the feed. */
export const feedMaintenanceKey = (inbox: Inbox): Key => ({
  pk: feedPartitionOf(inbox),
  sk: feedMaintenanceSort,
});

/** The inbox whose feed the item is of; undefined for all other items. */
export function parseFeedInbox({ pk }: { pk: string }): Inbox | undefined {
  const kind = (['contact', 'group'] as const).find((one) => pk.startsWith(feedsOf[one]));
  return kind && { kind, id: pk.slice(feedsOf[kind].length) };
}

/** Which of the feeds' lives this is: see epoch.ts. */
export const epochKey: Key = { pk: `${feedPartition}EPOCH`, sk: 'EPOCH' };

/** All businesses are one partition, so that they can be listed in the order of their public ids. */
export const businessKey = (publicId: string): Key => ({
  pk: 'BUSINESS',
  sk: `BUSINESS#${publicId}`,
});

/** Partition of gsi1: the businesses that are active, sorted as in the table. */
export const activeBusinesses = 'BUSINESS#ACTIVE';

/** The keys of the index that an active business has. */
export const toActiveBusinessKeys = (publicId: string) => ({
  [indexes.gsi1.partition]: activeBusinesses,
  [indexes.gsi1.sort]: businessKey(publicId).sk,
});
