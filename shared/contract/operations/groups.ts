import * as v from 'valibot';
import { bodyErrors, type Operation, type ResourceDescriptions } from '../operation.ts';
import { Deleted } from '../resources/deleted.ts';
import {
  CreateGroup,
  Group,
  GroupMember,
  GroupMemberPage,
  GroupPage,
  PutGroupMember,
  UpdateGroup,
} from '../resources/group.ts';
import { ContactId, Id } from '../schema/field-types.ts';
import { listQuery } from '../schema/list-schema.ts';
import { repeatErrors } from './shared-fields.ts';

/** Operations on groups are rare, so one function serves all of them. */
const sharedFunction = 'groups';

const groupPath = {
  path: '/v1/groups/{group_id}',
  pathParameters: v.object({ group_id: Id }),
} as const;

const memberPath = {
  path: '/v1/groups/{group_id}/members/{contact_id}',
  pathParameters: v.object({ group_id: Id, contact_id: ContactId }),
} as const;

/** A change reads the group and the caller's membership. */
const changesGroup = {
  groups: ['BatchGetItem', 'UpdateItem'],
  contacts: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
} as const;

/**
 * Adding a member reads blocks and settings, and checks whether the caller and the contact share a
 * conversation or a group.
 */
const addsMembers = {
  groups: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  contacts: [
    ...(['BatchGetItem', 'ConditionCheckItem', 'GetItem'] as const),
    ...(['PutItem', 'Query', 'UpdateItem'] as const),
  ],
  distinctPairs: ['BatchGetItem', 'ConditionCheckItem'],
  conversations: ['BatchGetItem'],
  pairs: ['Query'],
} as const;

export const createGroup = {
  id: 'groups/create',
  method: 'POST',
  path: '/v1/groups',
  summary: 'Create a group',
  description:
    'Creates a group with the caller as its owner. Create conversations in it with `POST /v1/conversations` and its id as `group_id`. If the request fails midway, repeat it with the same Idempotency-Key to add the remaining members.',
  body: CreateGroup,
  reply: Group,
  status: 201,
  errors: [...bodyErrors, ...repeatErrors, 'not_allowed', 'not_addable', 'groups_exceeded'],
  versioned: true,
  repeatable: true,
  sharedFunction,
  calls: addsMembers,
} as const satisfies Operation;

export const listGroups = {
  id: 'groups/list',
  method: 'GET',
  path: '/v1/groups',
  summary: 'List groups',
  description:
    'Lists the user-created groups that the caller is a member of, newest first. Omits groups from the token.',
  query: listQuery({}),
  reply: GroupPage,
  status: 200,
  errors: ['parameter_invalid'],
  list: true,
  sharedFunction,
  calls: { groups: ['BatchGetItem'], contacts: ['Query'] },
} as const satisfies Operation;

export const retrieveGroup = {
  id: 'groups/retrieve',
  method: 'GET',
  ...groupPath,
  summary: 'Retrieve a group',
  description: 'Returns a group that the caller is a member of.',
  reply: Group,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  sharedFunction,
  calls: { groups: ['BatchGetItem'], contacts: ['BatchGetItem'] },
} as const satisfies Operation;

export const updateGroup = {
  id: 'groups/update',
  method: 'PUT',
  ...groupPath,
  summary: 'Update a group',
  description: 'Changes the given fields. Allowed for owners and admins.',
  body: UpdateGroup,
  reply: Group,
  status: 200,
  errors: [...bodyErrors, 'not_allowed', 'not_found', 'precondition_failed'],
  versioned: true,
  sharedFunction,
  calls: changesGroup,
} as const satisfies Operation;

export const deleteGroup = {
  id: 'groups/delete',
  method: 'DELETE',
  ...groupPath,
  summary: 'Delete a group',
  description:
    'Permanently deletes the group and, in the background, its conversations with all their messages. Allowed for owners.',
  reply: Deleted,
  status: 200,
  errors: ['parameter_invalid', 'not_allowed', 'not_found', 'precondition_failed'],
  sharedFunction,
  calls: { ...changesGroup, groupMembers: ['Query'] },
} as const satisfies Operation;

export const listGroupMembers = {
  id: 'members/list',
  method: 'GET',
  path: '/v1/groups/{group_id}/members',
  pathParameters: groupPath.pathParameters,
  summary: 'List members of a group',
  description: 'Lists the members in the order in which they joined. Only members can list them.',
  query: listQuery({}),
  reply: GroupMemberPage,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  list: true,
  sharedFunction,
  calls: {
    groups: ['BatchGetItem'],
    contacts: ['BatchGetItem', 'GetItem'],
    groupMembers: ['Query'],
  },
} as const satisfies Operation;

export const putGroupMember = {
  id: 'members/put',
  method: 'PUT',
  ...memberPath,
  summary: 'Add a member or change their role',
  description:
    'Adds the contact to the group, or changes the role of a member. Allowed for owners, and for admins unless the contact is or becomes an owner. New members see the whole history. Fails with 403 `not_addable` if the caller or the contact has blocked the other, or if the contact does not accept groups from the caller.',
  body: PutGroupMember,
  reply: GroupMember,
  status: 201,
  statusIfExists: 200,
  errors: [
    ...bodyErrors,
    'not_allowed',
    'not_addable',
    'not_found',
    'group_full',
    'groups_exceeded',
    'last_owner',
  ],
  sharedFunction,
  calls: addsMembers,
} as const satisfies Operation;

export const removeGroupMember = {
  id: 'members/remove',
  method: 'DELETE',
  ...memberPath,
  summary: 'Remove a member or leave',
  description:
    'Removes the contact, who has no access to the group after the reply. Members may leave by removing themselves. Owners may remove everyone; admins may remove everyone except owners. The last owner must make another member an owner before leaving.',
  reply: Deleted,
  status: 200,
  errors: ['parameter_invalid', 'not_allowed', 'not_found', 'last_owner'],
  sharedFunction,
  calls: {
    groups: ['BatchGetItem', 'UpdateItem'],
    contacts: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'UpdateItem'],
  },
} as const satisfies Operation;

const operations = [
  createGroup,
  listGroups,
  retrieveGroup,
  updateGroup,
  deleteGroup,
  listGroupMembers,
  putGroupMember,
  removeGroupMember,
] as const satisfies readonly Operation[];

export default {
  title: 'Groups',
  operations,
  resources: {
    groups: 'Groups that users create. Their members share conversations.',
    members: 'Members of a group and their roles.',
  } satisfies ResourceDescriptions<typeof operations>,
};
