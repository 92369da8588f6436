import * as v from 'valibot';
import { clock } from '../../clock.ts';
import { getItem, getItems, transact, type Write } from '../calls/access.ts';
import { existsCondition } from '../calls/expressions.ts';
import type { PurgeLimits } from '../conversations/write/purge-conversation.ts';
import { GroupTombstone } from '../groups/group-tombstone.ts';
import { toGroupCountUpdate } from '../groups/group-writes.ts';
import { Membership } from '../groups/membership.ts';
import { groupKey, membershipKey } from '../keys/group-keys.ts';
import { deletionAttribute } from '../keys/names.ts';
import { queryMembers } from './end-memberships.ts';

/**
 * Maximum number of memberships per transaction. Each membership takes two of the transaction's 100
 * writes.
 */
const maxPerTransaction = 40;
/** Write units per removed membership: two for each of two writes, and one for the index. */
const removalUnits = 5;

/**
 * Removes all memberships of a deleted group, and decrements the members' group counts. Returns
 * false if time runs out or the index does not list the remaining memberships yet.
 */
export async function removeMemberships(
  groupId: string,
  { until, rate }: PurgeLimits,
): Promise<boolean> {
  for (;;) {
    const start = clock.now();
    if (start >= until) return false;
    const tombstone = await getItem(groupKey(groupId));
    if (!tombstone || v.parse(GroupTombstone, tombstone).member_count <= 0) return true;
    const { contactIds } = await queryMembers(groupId);
    const keys = contactIds.map((contactId) => membershipKey(contactId, groupId));
    const present = v.parse(v.array(Membership), await getItems(keys)).slice(0, maxPerTransaction);
    if (present.length === 0) return false;
    await removeEndedMemberships(groupId, present);
    const units = present.length * removalUnits;
    await clock.sleep(Math.max(0, start + (units / rate) * 1000 - clock.now()));
  }
}

/**
 * Removes memberships of a deleted group in one transaction. If a membership no longer exists,
 * removes no memberships, and the caller rereads the memberships.
 */
export const removeEndedMemberships = (groupId: string, memberships: readonly Membership[]) =>
  transact([toCountUpdate(groupId, memberships.length), ...memberships.flatMap(toRemoval)]);

const toCountUpdate = (groupId: string, removed: number): Write => ({
  update: {
    Key: groupKey(groupId),
    UpdateExpression: 'ADD member_count :change',
    ConditionExpression: `attribute_exists(${deletionAttribute})`,
    ExpressionAttributeValues: { ':change': -removed },
  },
});

const toRemoval = ({ group_id, contact_id }: Membership): Write[] => [
  {
    remove: membershipKey(contact_id, group_id),
    condition: { ConditionExpression: existsCondition },
  },
  { update: toGroupCountUpdate(contact_id, -1) },
];
