import { ApiError } from '../../api-error.ts';
import type { GroupRole } from '../../contract/resources/group.ts';
import type { GroupItem } from '../groups/group-item.ts';
import type { Membership } from '../groups/membership.ts';

/** Throws `not_allowed` if the member has none of the roles. */
export function requireRole({ role }: Membership, allowed: readonly GroupRole[]): void {
  if (allowed.includes(role)) return;
  const names = allowed.join(' or ');
  throw new ApiError('not_allowed', {
    message: `This request requires the role ${names} in the group.`,
  });
}

/** Throws `not_allowed` unless the member may assign and revoke these roles. */
export const requireRights = (
  member: Membership,
  roles: readonly (GroupRole | undefined)[],
): void => requireRole(member, roles.includes('owner') ? ['owner'] : ['owner', 'admin']);

/** Throws `last_owner` if the group has only one owner. */
export function requireOtherOwner({ owner_count }: GroupItem): void {
  if (owner_count <= 1) throw new ApiError('last_owner');
}
