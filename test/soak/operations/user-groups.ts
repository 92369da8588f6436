import * as v from 'valibot';
import {
  createGroup,
  deleteGroup,
  listGroups,
  retrieveGroup,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import { CreateGroup, type Group, UpdateGroup } from '../../../shared/contract/resources/group.ts';
import { checkStatus } from '../checks/check-status.ts';
import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import { getHorizon, type Model } from '../model/model.ts';
import type { UserGroupModel } from '../model/model-types.ts';
import { beginWrite, endWrite, observeValue, undoWrite } from '../model/register.ts';
import {
  createUserGroup,
  getOrAddMembership,
  getPossibleMembership,
} from '../model/user-groups.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

export const findUserGroup = ({ userGroups }: Model, { sent }: Request) =>
  userGroups.get(sent.path?.group_id ?? '');

/**
 * Expects 404 if and only if the caller is not a member. If the membership is uncertain, accepts
 * any status.
 */
export function checkAccess(model: Model, exchange: Exchange, group: UserGroupModel | undefined) {
  if (hasUnknownOutcome(exchange)) return;
  const { caller, reply } = exchange;
  const possible = getPossibleMembership(model, group?.id ?? '', caller.id, exchange);
  const isRefused = reply.status === 404;
  if (!possible.has(!isRefused)) {
    const expected = isRefused
      ? 'a status other than 404, as the caller is a member'
      : '404, as the caller is not a member';
    model.report({ expected, exchange });
  }
}

export const checkCreateGroup: OperationCheck = (model, request) => {
  const { caller, startOrder, sent } = request;
  const { title, members } = v.parse(CreateGroup, sent.body);
  const memberIds = [caller.id, ...members];
  model.groupCreations.set(startOrder, memberIds);
  return (exchange) => {
    checkStatus(model, exchange, 201, 403);
    if (hasUnknownOutcome(exchange)) return;
    model.groupCreations.delete(startOrder);
    if (!isSuccess(exchange)) return;
    const shown = parseBody(createGroup.reply, exchange);
    const group = createUserGroup(shown.id, caller.id, title);
    model.userGroups.set(group.id, group);
    for (const id of memberIds) getOrAddMembership(model, group, id, true);
    if (shown.member_count !== group.members.size)
      model.report({ expected: `${group.members.size} members`, exchange });
    checkGroup(model, exchange, shown);
  };
};

function checkGroup(model: Model, exchange: Exchange, shown: Group): void {
  const group = model.userGroups.get(shown.id);
  if (!group) {
    if (model.groupCreations.size === 0)
      model.report({ expected: 'no group that was never created', exchange });
    return;
  }
  if (!observeValue(group.title, exchange, shown.title))
    model.report({ expected: 'the title as it was last set', exchange });
  if (shown.created_by !== group.owner)
    model.report({ expected: `created_by ${group.owner}`, exchange });
  if (!getPossibleMembership(model, group.id, exchange.caller.id, exchange).has(true))
    model.report({ expected: `no data of ${group.id}, as the caller is not a member`, exchange });
}

export const checkListGroups: OperationCheck = (model, { caller, sent }) => {
  const isFirst = !sent.query?.starting_after && !sent.query?.ending_before;
  return (exchange) => {
    checkStatus(model, exchange, 200);
    if (!isSuccess(exchange)) return;
    const { data, has_more } = parseBody(listGroups.reply, exchange);
    for (const shown of data) checkGroup(model, exchange, shown);
    const ids = new Set(data.map(({ id }) => id));
    if (ids.size < data.length) model.report({ expected: 'each group once', exchange });
    if (!isFirst || has_more) return;
    for (const { id } of model.userGroups.values()) {
      if (!ids.has(id) && !getPossibleMembership(model, id, caller.id, exchange).has(false))
        model.report({ expected: `the group ${id} as well`, exchange });
    }
  };
};

export const checkRetrieveGroup: OperationCheck = (model, request) => (exchange) => {
  checkStatus(model, exchange, 200, 404);
  checkAccess(model, exchange, findUserGroup(model, request));
  if (isSuccess(exchange)) checkGroup(model, exchange, parseBody(retrieveGroup.reply, exchange));
};

export const checkUpdateGroup: OperationCheck = (model, request) => {
  const group = findUserGroup(model, request);
  const { title } = v.parse(UpdateGroup, request.sent.body);
  const write =
    group && title !== undefined
      ? beginWrite(group.title, title, request.startOrder, getHorizon(model))
      : undefined;
  return (exchange) => {
    checkStatus(model, exchange, 200, 403, 404);
    checkAccess(model, exchange, group);
    checkRights(model, exchange, group);
    if (group && write && !hasUnknownOutcome(exchange)) {
      if (isSuccess(exchange)) endWrite(write, exchange.ended);
      else undoWrite(group.title, write);
    }
    if (isSuccess(exchange)) checkGroup(model, exchange, parseBody(updateGroup.reply, exchange));
  };
};

/**
 * Checks that a forbidden request does not succeed, and that an allowed request does not return
 * 403. By default, only the owner's requests are allowed.
 */
export function checkRights(
  model: Model,
  exchange: Exchange,
  group: UserGroupModel | undefined,
  isAllowed = group?.owner === exchange.caller.id,
): void {
  const { status } = exchange.reply;
  if (isSuccess(exchange) && !isAllowed) model.report({ expected: '403', exchange });
  if (status === 403 && isAllowed)
    model.report({ expected: 'a status other than 403, as the caller may do this', exchange });
}

/** Expects a deletion to end all memberships and to delete the group's conversations. */
export const checkDeleteGroup: OperationCheck = (model, request) => {
  const group = findUserGroup(model, request);
  const mayTakeEffect = group?.owner === request.caller.id;
  const begin = <Value>(register: Parameters<typeof beginWrite<Value>>[0], value: Value) => ({
    register,
    write: beginWrite(register, value, request.startOrder, getHorizon(model)),
  });
  const conversations = [...model.conversations.values()].filter(
    ({ group_id }) => group_id === group?.id,
  );
  const writes = mayTakeEffect
    ? [
        ...[...group.members.values()].map((register) => begin(register, false)),
        ...conversations.map(({ deleted }) => begin(deleted, true)),
      ]
    : [];
  return (exchange) => {
    checkStatus(model, exchange, 200, 403, 404);
    checkAccess(model, exchange, group);
    checkRights(model, exchange, group);
    if (hasUnknownOutcome(exchange)) return;
    for (const { register, write } of writes) {
      if (isSuccess(exchange)) endWrite(write, exchange.ended);
      else undoWrite(register, write);
    }
    if (isSuccess(exchange) && parseBody(deleteGroup.reply, exchange).id !== group?.id)
      model.report({ expected: 'the id of the deleted resource', exchange });
  };
};
