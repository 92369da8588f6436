import type { GroupRole } from '../../../shared/contract/resources/group.ts';

/** A group that a request created, with all roles that each person has ever had in it. */
export interface KnownGroup {
  id: string;
  deleted: boolean;
  roles: Map<string, Set<GroupRole>>;
  /** Whether the request that created the group may have added members that `roles` lacks. */
  isUncertain: boolean;
}

/**
 * Creates a model of user groups: all past and present members, with every role that each has had.
 * The model does not record current roles, because a batch sends its requests concurrently.
 */
export function createKnownGroups() {
  const groups = new Map<string, KnownGroup>();
  const rolesOf = (groupId: string, contactId: string) => groups.get(groupId)?.roles.get(contactId);
  const mayHaveBeen = (id: string, contactId: string, wanted?: readonly GroupRole[]): boolean => {
    if (groups.get(id)?.isUncertain) return true;
    const roles = rolesOf(id, contactId);
    return roles !== undefined && (!wanted || wanted.some((role) => roles.has(role)));
  };
  return {
    all: groups,
    create: (id: string, owner: string, members: readonly string[], isUncertain: boolean): void => {
      const roles = new Map(members.map((member) => [member, new Set<GroupRole>(['member'])]));
      roles.set(owner, new Set(['owner']));
      groups.set(id, { id, deleted: false, roles, isUncertain });
    },
    setRole: (id: string, contactId: string, role: GroupRole): void => {
      const roles = rolesOf(id, contactId) ?? new Set();
      groups.get(id)?.roles.set(contactId, roles.add(role));
    },
    /**
     * Reports whether a person may ever have been a member or, if `wanted` is set, may ever have
     * had one of the `wanted` roles.
     */
    mayHaveBeen,
    mayHaveShared: (one: string, other: string): boolean =>
      [...groups.keys()].some((id) => mayHaveBeen(id, one) && mayHaveBeen(id, other)),
  };
}
