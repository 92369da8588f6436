import { notFound } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { transact } from '../calls/access.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { getGroupViews } from '../groups/group-item.ts';
import {
  countOwner,
  toCountsUpdate,
  toMembershipCheck,
  toMembershipRemoval,
} from '../groups/group-writes.ts';
import { requireOtherOwner, requireRights } from './rights.ts';

/**
 * Removes the caller or, if the caller has the rights, another member. Throws `not_found`,
 * `not_allowed` or `last_owner`.
 */
export async function removeMember(
  caller: Caller,
  groupId: string,
  contactId: string,
): Promise<void> {
  await retryUntilDone(async () => {
    const { own, other } = await getGroupViews(groupId, caller.id, contactId);
    if (!own) throw notFound('group_id');
    if (!other) throw notFound('contact_id');
    const isOwn = contactId === caller.id;
    if (!isOwn) requireRights(own.membership, [other.role]);
    const owners = -countOwner(other.role);
    if (owners < 0) requireOtherOwner(own.group);
    const { done } = await transact([
      { update: toCountsUpdate(groupId, { members: -1, owners }) },
      ...toMembershipRemoval(other),
      ...(isOwn ? [] : [toMembershipCheck(own.membership)]),
    ]);
    return done || undefined;
  });
}
