import type { Caller } from '../../caller.ts';
import { queryPage } from '../calls/access.ts';
import { membershipKey } from '../keys/group-keys.ts';
import { tableKey } from '../keys/names.ts';
import { type Membership, parseMembership } from './membership.ts';

/**
 * Returns a contact's memberships in user groups, newest group first. One query (up to a megabyte)
 * suffices, because a contact has at most 300 memberships.
 */
export async function listMemberships(contactId: string): Promise<Membership[]> {
  const { pk, sk } = membershipKey(contactId);
  const { items } = await queryPage({
    KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :memberships)`,
    ExpressionAttributeValues: { ':pk': pk, ':memberships': sk },
    ConsistentRead: true,
    ScanIndexForward: false,
  });
  return items.map(parseMembership).filter((membership) => membership !== undefined);
}

/** Returns the caller with their user groups added to the token's groups. */
export async function withMemberships(caller: Caller): Promise<Caller> {
  const memberships = await listMemberships(caller.id);
  const groups = memberships.map(({ group_id }) => group_id);
  return groups.length > 0 ? { ...caller, groups: [...caller.groups, ...groups] } : caller;
}
