import * as v from 'valibot';
import type { Item } from '../../calls/access.ts';
import { toAssignment } from '../../calls/expressions.ts';
import { conversationKey, type Key, toPurgeKeys } from '../../keys/keys.ts';
import { deletionAttribute } from '../../keys/names.ts';

/** Item that replaces a deleted conversation until the purge. Timestamps are in milliseconds. */
export const ConversationTombstone = v.object({
  deleted_at: v.number(),
  /** Random id by which a retry detects that an earlier attempt deleted the conversation. */
  deletion: v.string(),
  /** Partition of the conversation's distinct record. The purge removes that record. */
  distinct_pair: v.optional(v.string()),
});
export type ConversationTombstone = v.InferOutput<typeof ConversationTombstone>;

export const notDeletedCondition = `attribute_not_exists(${deletionAttribute})`;

export const isDeleted = (conversation: Item): boolean => deletionAttribute in conversation;

export const toTombstoneItem = (id: string, tombstone: ConversationTombstone) => ({
  ...conversationKey(id),
  ...tombstone,
  ...toPurgeKeys(id, tombstone.deleted_at),
});

/** Returns a tombstone update that triggers the purge worker again. */
export const toTombstoneTouch = (Key: Key, now: number) => ({
  Key,
  ...toAssignment(
    { touched_at: now },
    { ConditionExpression: `attribute_exists(${deletionAttribute})` },
  ),
});
