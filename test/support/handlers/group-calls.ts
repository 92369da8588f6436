import type { Caller } from '../../../shared/caller.ts';
import {
  createGroup,
  deleteGroup,
  listGroupMembers,
  listGroups,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import type { Call } from './gateway-event.ts';
import { ok, refused, request } from './invoke-handler.ts';

/**
 * Each function in this file, except `putMember` and the `refused…` functions, returns the reply's
 * body and throws if the call fails.
 */
export const makeGroup = (as: Caller, members: readonly Caller[] = [], title = 'Lunch club') =>
  ok(createGroup, { as, body: { title, members: members.map(({ id }) => id) } });

export const getGroup = (as: Caller, group_id: string) =>
  ok(retrieveGroup, { as, path: { group_id } });

export const getGroups = (as: Caller, query: Record<string, string> = {}) =>
  ok(listGroups, { as, query });

export const changeGroup = (as: Caller, group_id: string, body: object) =>
  ok(updateGroup, { as, path: { group_id }, body });

export const removeGroup = (as: Caller, group_id: string) =>
  ok(deleteGroup, { as, path: { group_id } });

export const getMembers = (as: Caller, group_id: string, query: Record<string, string> = {}) =>
  ok(listGroupMembers, { as, path: { group_id }, query });

const toMemberCall = (
  as: Caller,
  group_id: string,
  member: Pick<Caller, 'id'>,
  role?: GroupRole,
): Call => ({ as, path: { group_id, contact_id: member.id }, body: role ? { role } : {} });

export const addMember = (...call: Parameters<typeof toMemberCall>) =>
  ok(putGroupMember, toMemberCall(...call));

export const putMember = (...call: Parameters<typeof toMemberCall>) =>
  request(putGroupMember, toMemberCall(...call));

export const refusedMember = (...call: Parameters<typeof toMemberCall>) =>
  refused(putGroupMember, toMemberCall(...call));

export const removeMember = (as: Caller, group_id: string, { id }: Pick<Caller, 'id'>) =>
  ok(removeGroupMember, { as, path: { group_id, contact_id: id } });

export const refusedRemoval = (as: Caller, group_id: string, { id }: Pick<Caller, 'id'>) =>
  refused(removeGroupMember, { as, path: { group_id, contact_id: id } });
