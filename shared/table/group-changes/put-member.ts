import { ApiError, notFound } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { type GroupRole, maxGroupMembers } from '../../contract/resources/group.ts';
import { transact, type Write } from '../calls/access.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { touchContact } from '../contacts.ts';
import { type GroupView, getGroupViews } from '../groups/group-item.ts';
import {
  countOwner,
  toCountsUpdate,
  toJoinedAt,
  toMembershipCheck,
  toRoleUpdate,
} from '../groups/group-writes.ts';
import type { Membership } from '../groups/membership.ts';
import { readCandidates, requireAddable, toAddition } from './candidates.ts';
import { requireOtherOwner, requireRights } from './rights.ts';

export interface MemberChange {
  groupId: string;
  contactId: string;
  /** Default: `member` for a new member, otherwise the current role. */
  role: GroupRole | undefined;
}

/**
 * Adds a contact to a group or changes a member's role. Throws `not_found`, `not_allowed`,
 * `not_addable`, `group_full`, `groups_exceeded` or `last_owner`.
 */
export const putMember = (
  caller: Caller,
  change: MemberChange,
): Promise<{ member: Membership; isNew: boolean }> =>
  retryUntilDone(async () => {
    const { groupId, contactId, role } = change;
    const { own, other: before } = await getGroupViews(groupId, caller.id, contactId);
    if (!own) throw notFound('group_id');
    requireRights(own.membership, [before?.role, role]);
    await touchContact(caller);
    const after: Membership = {
      group_id: groupId,
      contact_id: contactId,
      joined_at: before?.joined_at ?? toJoinedAt(own.group),
      role: role ?? before?.role ?? 'member',
    };
    if (before?.role === after.role) return { member: before, isNew: false };
    const writes = before
      ? changeRole(own, before, after.role)
      : await addMember(caller, own, after);
    const { done } = await transact(writes);
    return done ? { member: after, isNew: !before } : undefined;
  });

function changeRole(
  { group, membership }: GroupView,
  before: Membership,
  role: GroupRole,
): Write[] {
  const owners = countOwner(role) - countOwner(before.role);
  if (owners < 0) requireOtherOwner(group);
  const isOwn = before.contact_id === membership.contact_id;
  return [
    { update: toCountsUpdate(group.id, { owners }) },
    toRoleUpdate(before, role),
    ...(isOwn ? [] : [toMembershipCheck(membership)]),
  ];
}

async function addMember(
  caller: Caller,
  { group, membership }: GroupView,
  { contact_id, role, joined_at }: Membership,
): Promise<Write[]> {
  for (const candidate of await readCandidates(caller, [contact_id])) {
    requireAddable(candidate, 'contact_id');
    if (group.member_count >= maxGroupMembers) throw new ApiError('group_full');
    return [
      {
        update: toCountsUpdate(group.id, {
          members: 1,
          owners: countOwner(role),
          joinedAt: joined_at,
        }),
      },
      toMembershipCheck(membership),
      ...toAddition(candidate, group.id, { role, joinedAt: joined_at }),
    ];
  }
  throw new Error('readCandidates returned no candidate for the contact to add.');
}
