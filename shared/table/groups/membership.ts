import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { toSeconds } from '../../clock.ts';
import { type GroupMember, groupRoles } from '../../contract/resources/group.ts';
import { isUserGroup } from '../../ids.ts';
import { getItem, type Item } from '../calls/access.ts';
import { membershipKey } from '../keys/group-keys.ts';

/**
 * Membership of a contact in a user group. Access depends only on this item, so access checks read
 * it with strong consistency.
 */
export const Membership = v.object({
  /** Removed when the group is deleted, so that the deletion matches the live worker's filter. */
  id: v.optional(v.string()),
  group_id: v.string(),
  contact_id: v.string(),
  role: v.picklist(groupRoles),
  /** Milliseconds. Increases each time the contact joins: see `toJoinedAt`. */
  joined_at: v.number(),
  /** Set from the group's deletion until the purge worker removes the membership. */
  is_group_deleted: v.optional(v.literal(true)),
  /** Version of the group's deletion. Set with `is_group_deleted`. */
  group_version: v.optional(v.number()),
});
export type Membership = v.InferOutput<typeof Membership>;

/** Parses a membership; `undefined` if it is missing or its group is deleted. */
export function parseMembership(item: Item | undefined): Membership | undefined {
  const membership = item && v.parse(Membership, item);
  return membership?.is_group_deleted ? undefined : membership;
}

export const toMemberReply = ({ contact_id, role, joined_at }: Membership): GroupMember => ({
  contact_id,
  role,
  joined_at: toSeconds(joined_at),
});

/** Returns a contact's membership in a user group, if any. */
export const getMembership = async (
  contactId: string,
  groupId: string,
): Promise<Membership | undefined> =>
  parseMembership(await getItem(membershipKey(contactId, groupId)));

/**
 * Adds a user group to the caller's groups if the caller is a member. Reads nothing if the group is
 * not a user group or is already included.
 */
export async function withMembership(
  caller: Caller,
  groupId: string | null | undefined,
): Promise<Caller> {
  if (!groupId || !isUserGroup(groupId) || caller.groups.includes(groupId)) return caller;
  const membership = await getMembership(caller.id, groupId);
  return membership ? withGroup(caller, membership) : caller;
}

export const withGroup = (caller: Caller, { group_id }: Membership): Caller => ({
  ...caller,
  groups: [...caller.groups, group_id],
});
