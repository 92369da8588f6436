import * as v from 'valibot';
import type { Item } from '../../calls/access.ts';
import { toAssignment } from '../../calls/expressions.ts';
import { conversationKey, toPurgeKeys } from '../../keys/keys.ts';
import { deletionAttribute } from '../../keys/names.ts';

/** Item of a deleted conversation until it is purged. Times are in milliseconds. */
export const ConversationTombstone = v.object({
  deleted_at: v.number(),
  /** Random id of the deletion, by which a retried delete recognises itself. */
  deletion: v.string(),
  /**
   * Partition of the item that names this conversation as the distinct one of two contacts. The
   * purge removes that item.
   */
  distinct_pair: v.optional(v.string()),
});
export type ConversationTombstone = v.InferOutput<typeof ConversationTombstone>;

/** Condition: the conversation is not deleted. */
export const notDeletedCondition = `attribute_not_exists(${deletionAttribute})`;

export const isDeleted = (conversation: Item): boolean => deletionAttribute in conversation;

/** Converts a tombstone to its item, whose only index is that of conversations to purge. */
export const toTombstoneItem = (id: string, tombstone: ConversationTombstone) => ({
  ...conversationKey(id),
  ...tombstone,
  ...toPurgeKeys(id, tombstone.deleted_at),
});

/** Returns an update that makes the stream deliver the tombstone to the purge worker again. */
export const toTombstoneTouch = (id: string, now: number) => ({
  Key: conversationKey(id),
  ...toAssignment(
    { touched_at: now },
    { ConditionExpression: `attribute_exists(${deletionAttribute})` },
  ),
});
