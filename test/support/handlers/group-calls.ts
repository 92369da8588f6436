import type { Caller } from '../../../shared/caller.ts';
import {
  createGroup,
  deleteGroup,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import { ok } from './invoke-handler.ts';

/** Creates a group with the caller as its owner, and these members. */
export const startGroup = (as: Caller, members: readonly string[] = [], title = 'Hiking') =>
  ok(createGroup, { as, body: { title, members: [...members] } });

export const getGroup = (as: Caller, group_id: string) =>
  ok(retrieveGroup, { as, path: { group_id } });

export const changeGroup = (as: Caller, group_id: string, body: object) =>
  ok(updateGroup, { as, path: { group_id }, body });

export const removeGroup = (as: Caller, group_id: string) =>
  ok(deleteGroup, { as, path: { group_id } });

/** Adds a member or changes their role. */
export const putMember = (as: Caller, group_id: string, contact_id: string, role?: GroupRole) =>
  ok(putGroupMember, { as, path: { group_id, contact_id }, body: { ...(role && { role }) } });

export const removeMember = (as: Caller, group_id: string, contact_id: string) =>
  ok(removeGroupMember, { as, path: { group_id, contact_id } });
