import * as v from 'valibot';
import { lookUpItems, transact } from '../calls/access.ts';
import { removeItem } from '../calls/remove-items.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { isDeleted } from '../conversations/items/conversation-tombstone.ts';
import { type GroupItem, parseGroup } from '../groups/group-item.ts';
import { toGroupTombstoneUpdate } from '../groups/group-tombstone.ts';
import {
  countOwner,
  toCountsUpdate,
  toGroupCondition,
  toMembershipRemoval,
  toRoleUpdate,
} from '../groups/group-writes.ts';
import { listMembers } from '../groups/list-members.ts';
import { Membership } from '../groups/membership.ts';
import { groupKey, membershipCountKey, membershipKey } from '../keys/group-keys.ts';
import { removeEndedMemberships } from './remove-memberships.ts';

/**
 * Removes an erased contact's membership, or repeats a removal after a restore. If the contact is
 * the last owner, first makes another member an owner: the admin who joined first or, if there is
 * no admin, the member who joined first. If the contact is the only member, deletes the group.
 */
export const eraseMembership = (contactId: string, groupId: string): Promise<true> =>
  retryUntilDone(async () => {
    const [key, ownKey] = [groupKey(groupId), membershipKey(contactId, groupId)];
    const findItem = await lookUpItems([key, ownKey]);
    const [groupItem, stored] = [findItem(key), findItem(ownKey)];
    if (!stored) return true;
    const membership = v.parse(Membership, stored);
    const group = parseGroup(groupItem);
    if (group) {
      const done = await leave(group, membership);
      // If this attempt deleted the group, the next one removes the membership.
      return done && group.member_count > 1 ? true : undefined;
    }
    if (groupItem && isDeleted(groupItem)) {
      await removeEndedMemberships(groupId, [membership]);
      return undefined;
    }
    await removeItem(ownKey);
    return true;
  });

/**
 * Removes the membership or, if the group has no other member, deletes the group. Returns false if
 * the caller must retry.
 */
async function leave(group: GroupItem, membership: Membership): Promise<boolean> {
  if (group.member_count === 1) {
    const { done } = await transact([
      { update: toGroupTombstoneUpdate(group.id, toGroupCondition(group)) },
    ]);
    return done;
  }
  const owners = -countOwner(membership.role);
  if (owners < 0 && group.owner_count === 1) {
    await appointOwner(group.id, membership.contact_id);
    return false;
  }
  const { done } = await transact([
    { update: toCountsUpdate(group.id, { members: -1, owners }) },
    ...toMembershipRemoval(membership),
  ]);
  return done;
}

async function appointOwner(groupId: string, formerOwner: string): Promise<void> {
  const members = await listMembers(groupId, { start: undefined, backwards: false, count: 1000 });
  const others = members.filter(({ contact_id }) => contact_id !== formerOwner);
  const successor = others.find(({ role }) => role === 'admin') ?? others[0];
  // If there is no successor, the caller retries, because the index does not list the other members
  // yet.
  if (!successor) return;
  await transact([
    { update: toCountsUpdate(groupId, { owners: 1 }) },
    toRoleUpdate(successor, 'owner'),
  ]);
}

/** Removes the membership count of a contact without memberships. */
export const eraseMembershipCount = (contactId: string): Promise<void> =>
  removeItem(membershipCountKey(contactId), {
    ConditionExpression: 'group_count <= :none',
    ExpressionAttributeValues: { ':none': 0 },
  });
