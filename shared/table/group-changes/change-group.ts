import { notFound } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { clock } from '../../clock.ts';
import type { UpdateGroup } from '../../contract/resources/group.ts';
import { requireIfMatch } from '../../etag.ts';
import { transact } from '../calls/access.ts';
import { toAssignment, withIncrement } from '../calls/expressions.ts';
import { retryUntilDone } from '../calls/retry-until-done.ts';
import { touchContact } from '../contacts.ts';
import { type GroupItem, getGroupView, toGroupResult } from '../groups/group-item.ts';
import { getDeletionVersion, toGroupTombstoneUpdate } from '../groups/group-tombstone.ts';
import { toGroupCondition, toMembershipCheck } from '../groups/group-writes.ts';
import { groupKey } from '../keys/group-keys.ts';
import { sharedChangeAttribute } from '../keys/names.ts';
import { endMemberships } from './end-memberships.ts';
import { requireRole } from './rights.ts';

/**
 * Changes a group's title and picture. If the title and the picture already have the requested
 * values, returns the group unchanged. Throws `not_found`, `not_allowed` or `precondition_failed`.
 */
export const changeGroup = (
  id: string,
  caller: Caller,
  change: UpdateGroup,
  ifMatch: string | undefined,
): Promise<GroupItem> =>
  retryUntilDone(async () => {
    const view = await getGroupView(id, caller.id);
    if (!view) throw notFound('group_id');
    const { group, membership } = view;
    requireRole(membership, ['owner', 'admin']);
    requireIfMatch(ifMatch, toGroupResult(group));
    await touchContact(caller);
    const changed = {
      title: change.title ?? group.title,
      avatar_url:
        change.avatar_url === undefined ? group.avatar_url : (change.avatar_url ?? undefined),
    };
    if (changed.title === group.title && changed.avatar_url === group.avatar_url) return group;
    const updated_at = Math.max(clock.now(), group.updated_at + 1);
    const assignment = toAssignment(
      { ...changed, updated_at, [sharedChangeAttribute]: true },
      toGroupCondition(group),
    );
    const { done } = await transact([
      { update: { Key: groupKey(id), ...withIncrement('version', assignment) } },
      toMembershipCheck(membership),
    ]);
    return done ? { ...group, ...changed, updated_at } : undefined;
  });

/** Maximum time, in milliseconds, that a deletion spends ending memberships before the reply. */
const maxEndingMilliseconds = 3000;

/**
 * Replaces a group with a tombstone, then ends its memberships. The purge worker ends the remaining
 * memberships, then removes conversations and memberships. Throws `not_found`, `not_allowed` or
 * `precondition_failed`.
 */
export async function deleteGroup(
  id: string,
  caller: Caller,
  ifMatch: string | undefined,
): Promise<void> {
  const group = await retryUntilDone(async () => {
    const view = await getGroupView(id, caller.id);
    if (!view) throw notFound('group_id');
    requireRole(view.membership, ['owner']);
    requireIfMatch(ifMatch, toGroupResult(view.group));
    const { done } = await transact([
      { update: toGroupTombstoneUpdate(id, toGroupCondition(view.group)) },
      toMembershipCheck(view.membership),
    ]);
    return done ? view.group : undefined;
  });
  // If this call fails, the purge worker ends the remaining memberships.
  await endMemberships(id, getDeletionVersion(group), clock.now() + maxEndingMilliseconds).catch(
    () => undefined,
  );
}
