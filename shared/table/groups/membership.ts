import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { groupRoles } from '../../contract/resources/group.ts';
import { isUserGroup } from '../../ids.ts';
import { getItem, type Item } from '../calls/access.ts';
import { membershipKey, toMemberKeys } from '../keys/group-keys.ts';
import type { Key } from '../keys/keys.ts';

/** Membership of a contact in a user group. It alone decides access, so reads are consistent. */
export const Membership = v.object({
  /** `<group_id>-<contact_id>`. Absent once the group is deleted, for the live worker's filter. */
  id: v.optional(v.string()),
  group_id: v.string(),
  contact_id: v.string(),
  role: v.picklist(groupRoles),
  /** Milliseconds. Increases each time that the contact joins: see `toMembersUpdate`. */
  joined_at: v.number(),
  /** Set when the group is deleted, until the purge worker removes the membership. */
  is_group_deleted: v.optional(v.literal(true)),
});
export type Membership = v.InferOutput<typeof Membership>;

export const getMembershipId = (groupId: string, contactId: string) => `${groupId}-${contactId}`;

/** Converts a new membership to its item, with its key in the list of the group's members. */
export const toMembershipItem = ({
  group_id,
  contact_id,
  role,
  joined_at,
}: Omit<Membership, 'id' | 'is_group_deleted'>): Item & Key => ({
  ...membershipKey(contact_id, group_id),
  id: getMembershipId(group_id, contact_id),
  ...{ group_id, contact_id, role, joined_at },
  ...toMemberKeys(group_id, { contactId: contact_id, joinedAt: joined_at }),
});

/** Parses a membership; `undefined` without one or if its group is deleted. */
export function parseMembership(item: Item | undefined): Membership | undefined {
  const membership = item && v.parse(Membership, item);
  return membership?.is_group_deleted ? undefined : membership;
}

/** Returns the membership of a contact in a user group, if any. */
export const getMembership = async (
  contactId: string,
  groupId: string,
): Promise<Membership | undefined> =>
  parseMembership(await getItem(membershipKey(contactId, groupId)));

/**
 * Returns the caller with a user group among the groups, if the caller is a member. Reads nothing
 * for other groups and for those that the caller has already.
 */
export async function withMembership(
  caller: Caller,
  groupId: string | null | undefined,
): Promise<Caller> {
  if (!groupId || !isUserGroup(groupId) || caller.groups.includes(groupId)) return caller;
  const membership = await getMembership(caller.id, groupId);
  return membership ? { ...caller, groups: [...caller.groups, groupId] } : caller;
}
