import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { type Condition, toAssignment } from '../calls/expressions.ts';
import { groupKey } from '../keys/group-keys.ts';
import { toPurgeKeys } from '../keys/keys.ts';
import { sharedChangeAttribute } from '../keys/names.ts';
import { GroupItem } from './group-item.ts';

/** Item that represents a deleted group until the purge worker has removed the group's data. */
export const GroupTombstone = v.object({
  deleted_at: v.number(),
  /** Number of memberships not yet removed. */
  member_count: v.number(),
  version: v.optional(v.number()),
  /** Timestamp (milliseconds) at which the purge worker finished ending memberships. */
  ended_at: v.optional(v.number()),
});
export type GroupTombstone = v.InferOutput<typeof GroupTombstone>;

/** Returns the version of the deletion event. */
export const getDeletionVersion = ({ version = 0 }: Pick<GroupTombstone, 'version'>): number =>
  version + 1;

const retainedAttributes = ['member_count', 'version'];
const removedAttributes = [...Object.keys(GroupItem.entries), sharedChangeAttribute].filter(
  (name) => !retainedAttributes.includes(name),
);

/**
 * Returns the update that replaces a group with its tombstone. The condition must require that the
 * group exists and is not deleted.
 */
export const toGroupTombstoneUpdate = (groupId: string, condition: Condition) => {
  const now = clock.now();
  return {
    Key: groupKey(groupId),
    ...toAssignment(
      {
        ...Object.fromEntries(removedAttributes.map((name) => [name, undefined])),
        deleted_at: now,
        ...toPurgeKeys(groupId, now),
      },
      condition,
    ),
  };
};
