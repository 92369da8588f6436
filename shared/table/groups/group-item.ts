import * as v from 'valibot';
import { toSeconds } from '../../clock.ts';
import type { OperationResult } from '../../contract/operation.ts';
import type { CreateGroup, Group } from '../../contract/resources/group.ts';
import { groupCreatedAt, isUserGroupId } from '../../ids.ts';
import { type Item, lookUpItems } from '../calls/access.ts';
import { groupKey, membershipKey } from '../keys/group-keys.ts';
import { deletionAttribute } from '../keys/names.ts';
import { type Membership, parseMembership } from './membership.ts';

/**
 * A group created by a user. Timestamps are in milliseconds. A change to the title, picture or a
 * role causes an event and sets `shared_change`. A change to only the member count removes
 * `shared_change`, so that the live worker's filter drops the record.
 */
export const GroupItem = v.object({
  id: v.string(),
  title: v.string(),
  avatar_url: v.optional(v.string()),
  created_by: v.string(),
  created_at: v.number(),
  /** Time of the last change to the title or picture. Increases with each change. */
  updated_at: v.number(),
  member_count: v.number(),
  owner_count: v.number(),
  /** Increases with each change to the group, its members or their roles. */
  version: v.number(),
  /** Latest `joined_at` of all current and former memberships: see `toJoinedAt`. */
  newest_joined_at: v.number(),
  /**
   * Index, in the creating request, of the first contact not yet added; absent if all were added.
   */
  next_member: v.optional(v.number()),
});
export type GroupItem = v.InferOutput<typeof GroupItem>;

export interface GroupView {
  group: GroupItem;
  membership: Membership;
}

/** Parses a group item. Returns `undefined` if the item is missing or deleted. */
export const parseGroup = (item: Item | undefined): GroupItem | undefined =>
  !item || item[deletionAttribute] !== undefined ? undefined : v.parse(GroupItem, item);

/** Returns a new group with its owner as the only member. `id` contains the creation time. */
export const newGroup = (
  id: string,
  owner: string,
  { title, avatar_url }: Pick<CreateGroup, 'title' | 'avatar_url'>,
): GroupItem => ({
  id,
  title,
  ...(avatar_url && { avatar_url }),
  created_by: owner,
  created_at: groupCreatedAt(id),
  updated_at: groupCreatedAt(id),
  member_count: 1,
  owner_count: 1,
  version: 1,
  newest_joined_at: groupCreatedAt(id),
});

export const toGroupReply = (group: GroupItem): Group => ({
  id: group.id,
  title: group.title,
  avatar_url: group.avatar_url ?? null,
  created_by: group.created_by,
  member_count: group.member_count,
  created_at: toSeconds(group.created_at),
  updated_at: toSeconds(group.updated_at),
});

/** Returns the reply. `state` makes the ETags of two updates within one second differ. */
export const toGroupResult = (group: GroupItem): OperationResult<Group> => ({
  reply: toGroupReply(group),
  state: group.updated_at,
});

/** Returns a group and a contact's membership, if both exist. Reads with strong consistency. */
export async function getGroupView(
  groupId: string,
  contactId: string,
): Promise<GroupView | undefined> {
  return (await getGroupViews(groupId, contactId)).own;
}

/**
 * Returns the result of `getGroupView` as `own` and the other contact's membership, if any, as
 * `other`.
 */
export async function getGroupViews(
  groupId: string,
  contactId: string,
  otherId = contactId,
): Promise<{ own?: GroupView; other?: Membership | undefined }> {
  if (!isUserGroupId(groupId)) return {};
  const [key, ownKey, otherKey] = [
    groupKey(groupId),
    membershipKey(contactId, groupId),
    membershipKey(otherId, groupId),
  ];
  const findItem = await lookUpItems([key, ownKey, otherKey]);
  const group = parseGroup(findItem(key));
  const membership = parseMembership(findItem(ownKey));
  if (!group || !membership) return {};
  return { own: { group, membership }, other: parseMembership(findItem(otherKey)) };
}
