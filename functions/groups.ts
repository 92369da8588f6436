import {
  createGroup,
  deleteGroup,
  listGroupMembers,
  listGroups,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  updateGroup,
} from '../shared/contract/operations.ts';
import { dispatch } from '../shared/http/dispatch.ts';
import { handler as create } from './groups/create.ts';
import { handler as remove } from './groups/delete.ts';
import { handler as list } from './groups/list.ts';
import { handler as retrieve } from './groups/retrieve.ts';
import { handler as update } from './groups/update.ts';
import { handler as listMembers } from './members/list.ts';
import { handler as putMember } from './members/put.ts';
import { handler as removeMember } from './members/remove.ts';

/** Serves all operations on groups. */
export const handler = dispatch([
  [createGroup, create],
  [listGroups, list],
  [retrieveGroup, retrieve],
  [updateGroup, update],
  [deleteGroup, remove],
  [listGroupMembers, listMembers],
  [putGroupMember, putMember],
  [removeGroupMember, removeMember],
]);
