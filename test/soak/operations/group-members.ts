import { listGroupMembers, putGroupMember } from '../../../shared/contract/operations.ts';
import { checkStatus } from '../checks/check-status.ts';
import { hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import { getHorizon, type Model } from '../model/model.ts';
import type { UserGroupModel } from '../model/model-types.ts';
import { beginWrite, endWrite, undoWrite } from '../model/register.ts';
import { getOrAddMembership } from '../model/user-groups.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';
import { checkAccess, checkRights, findUserGroup } from './user-groups.ts';

/** Accepts lists that lack members or contain former members, because the index may be stale. */
export const checkListMembers: OperationCheck = (model, request) => (exchange) => {
  const group = findUserGroup(model, request);
  checkStatus(model, exchange, 200, 404);
  checkAccess(model, exchange, group);
  if (!group || !isSuccess(exchange)) return;
  const ids = parseBody(listGroupMembers.reply, exchange).data.map(({ contact_id }) => contact_id);
  if (new Set(ids).size < ids.length) model.report({ expected: 'each member once', exchange });
  for (const id of ids) {
    if (!group.members.has(id)) model.report({ expected: `no member ${id}`, exchange });
  }
};

const getContactId = ({ sent }: Request): string => sent.path?.contact_id ?? '';

export const checkPutMember: OperationCheck = (model, request) => {
  const group = findUserGroup(model, request);
  const settle = beginMembership(model, request, group, true);
  return (exchange) => {
    checkStatus(model, exchange, 200, 201, 403, 404);
    if (!hasUnknownOutcome(exchange)) settle(isSuccess(exchange), exchange.ended);
    checkAccess(model, exchange, group);
    checkRights(model, exchange, group);
    if (!isSuccess(exchange)) return;
    if (parseBody(putGroupMember.reply, exchange).contact_id !== getContactId(request))
      model.report({ expected: 'the added member', exchange });
  };
};

export const checkRemoveMember: OperationCheck = (model, request) => {
  const group = findUserGroup(model, request);
  const isOwn = getContactId(request) === request.caller.id;
  const settle = beginMembership(model, request, group, false);
  return (exchange) => {
    checkStatus(model, exchange, 200, 403, 404);
    if (hasUnknownOutcome(exchange)) return;
    settle(isSuccess(exchange), exchange.ended);
    // A 404 may mean that the contact is not a member, even if the caller is a member.
    if (exchange.reply.status !== 404) checkAccess(model, exchange, group);
    checkRights(model, exchange, group, group?.owner === request.caller.id || isOwn);
  };
};

/** Records a pending membership change. Returns a function that confirms or rejects the change. */
function beginMembership(
  model: Model,
  request: Request,
  group: UserGroupModel | undefined,
  isMember: boolean,
): (isDone: boolean, ended: number) => void {
  const mayTakeEffect =
    group?.owner === request.caller.id || getContactId(request) === request.caller.id;
  if (!group || !mayTakeEffect) return () => {};
  const register = getOrAddMembership(model, group, getContactId(request));
  const write = beginWrite(register, isMember, request.startOrder, getHorizon(model));
  return (isDone, ended) => {
    if (isDone) endWrite(write, ended);
    else undoWrite(register, write);
  };
}
