import * as v from 'valibot';
import type { Item } from '../../calls/access.ts';
import { assigning } from '../../calls/expressions.ts';
import { conversationKey, toPurgeKeys } from '../../keys/keys.ts';
import { deletionAttribute } from '../../keys/names.ts';

/** What is left of a deleted conversation while its partition is being emptied. Times in milliseconds. */
export const ConversationTombstone = v.object({
  deleted_at: v.number(),
  /** Drawn for one deletion, which recognises itself by it. */
  deletion: v.string(),
  /** It was the one conversation of two contacts: where that is noted, which has to go as well. */
  distinct_pair: v.optional(v.string()),
});
export type ConversationTombstone = v.InferOutput<typeof ConversationTombstone>;

/** As a condition on a conversation's item. */
export const notDeletedCondition = `attribute_not_exists(${deletionAttribute})`;

export const isDeleted = (conversation: Item): boolean => deletionAttribute in conversation;

/** The tombstone as the table has it: in the index of what is to be purged, and nothing else. */
export const toTombstoneItem = (id: string, tombstone: ConversationTombstone) => ({
  ...conversationKey(id),
  ...tombstone,
  ...toPurgeKeys(id, tombstone.deleted_at),
});

/** A change that says nothing new: the table's stream carries the tombstone to the purge worker once more. */
export const toTombstoneTouch = (id: string, now: number) => ({
  Key: conversationKey(id),
  ...assigning(
    { touched_at: now },
    { ConditionExpression: `attribute_exists(${deletionAttribute})` },
  ),
});
