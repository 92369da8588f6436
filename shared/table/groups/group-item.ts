import * as v from 'valibot';
import { toSeconds } from '../../clock.ts';
import { type Group, maxGroupMembers } from '../../contract/resources/group.ts';
import { existsCondition } from '../calls/expressions.ts';
import { groupKey } from '../keys/group-keys.ts';
import { deletionAttribute, sharedChangeAttribute } from '../keys/names.ts';

/**
 * A group that a user has created. Times are in milliseconds. A change that members see, of the
 * title, the avatar or a role, sets `shared_change` and increases `version`. A change of the counts
 * removes `shared_change`, so that the live worker's filter drops it.
 */
export const GroupItem = v.object({
  id: v.string(),
  title: v.string(),
  avatar_url: v.optional(v.string()),
  created_by: v.string(),
  created_at: v.number(),
  updated_at: v.number(),
  member_count: v.number(),
  owner_count: v.number(),
  /** Highest `joined_at` that a membership ever had: see `toMembersUpdate`. */
  newest_joined_at: v.number(),
  /** Number of changes of the title, the avatar or a role. */
  version: v.optional(v.number()),
});
export type GroupItem = v.InferOutput<typeof GroupItem>;

/** Returns the version of the group that its events have. */
export const getGroupVersion = ({ version = 0 }: Pick<GroupItem, 'version'>): number => 1 + version;

export const toGroupReply = (group: GroupItem): Group => ({
  id: group.id,
  title: group.title,
  avatar_url: group.avatar_url ?? null,
  created_by: group.created_by,
  member_count: group.member_count,
  created_at: toSeconds(group.created_at),
  updated_at: toSeconds(group.updated_at),
});

export interface MembersChange {
  /** Number of members that are added, or removed if negative. */
  members: number;
  /** Number of owners that are added, or removed if negative. */
  owners: number;
  /** If members are added, the lowest and highest of their `joined_at` (milliseconds). */
  joined?: { first: number; last: number };
}

/**
 * Returns the update of a group's counts, in the transaction that writes the memberships. It fails
 * if the group is deleted, would exceed its limit or lose its last owner. It also fails unless
 * members join at least two milliseconds after all earlier ones: `joined_at` is the version of an
 * added membership, and the next number that of its removal, so versions increase when a contact
 * is added again. Then repeat it with a later `joined_at`.
 */
export function toMembersUpdate(groupId: string, { members, owners, joined }: MembersChange) {
  const conditions = [
    `${existsCondition} AND attribute_not_exists(${deletionAttribute})`,
    ...(members > 0 ? ['member_count <= :max'] : []),
    ...(owners < 0 ? ['owner_count > :lost'] : []),
    ...(joined ? ['newest_joined_at < :before'] : []),
  ];
  return {
    Key: groupKey(groupId),
    UpdateExpression: `${joined ? 'SET newest_joined_at = :last ' : ''}REMOVE ${sharedChangeAttribute} ADD member_count :members, owner_count :owners`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ':members': members,
      ':owners': owners,
      ...(members > 0 && { ':max': maxGroupMembers - members }),
      ...(owners < 0 && { ':lost': -owners }),
      ...(joined && { ':before': joined.first - 1, ':last': joined.last }),
    },
  };
}
