import { Deleted } from '../../../shared/contract/resources/deleted.ts';
import { canDelete, isOwn, isParticipant } from '../../response-invariants/permissions.ts';
import { checkOutcome, checkStatus, type Target } from '../checks/check-status.ts';
import { type Exchange, isSuccess, type Request } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import { asPossibleMember } from '../model/user-groups.ts';
import {
  findConversation,
  findMessage,
  type OperationCheck,
  parseBody,
} from './operation-check.ts';
import { registerWrite } from './register-write.ts';

export const checkDeleteMessage: OperationCheck = (model, request) => {
  const message = findMessage(model, request);
  const allowed = message !== undefined && isOwn(message, request.caller.id);
  return checkDeletion(model, request, {
    conversation: message?.conversation,
    message,
    allowed,
  });
};

export const checkDeleteConversation: OperationCheck = (model, request) => {
  const conversation = findConversation(model, request);
  const allowed =
    conversation !== undefined &&
    canDelete(conversation, asPossibleMember(conversation, request.caller));
  return checkDeletion(model, request, { conversation, allowed });
};

function checkDeletion(model: Model, request: Request, target: Target) {
  const { conversation, message, allowed } = target;
  const deleted = (message ?? conversation)?.deleted;
  const mayTakeEffect =
    allowed &&
    conversation &&
    isParticipant(conversation, asPossibleMember(conversation, request.caller));
  const settle =
    deleted && mayTakeEffect && registerWrite(model, request, conversation, deleted, true);
  return (exchange: Exchange) => {
    checkStatus(model, exchange, 200, 403, 404);
    if (!isSuccess(exchange)) {
      // Records the outcome before the check. Otherwise, the check would accept the 404 because
      // this deletion is pending.
      if (settle) settle(exchange);
      checkOutcome(model, exchange, target);
      return;
    }
    checkOutcome(model, exchange, target);
    if (settle) settle(exchange);
    const { id } = parseBody(Deleted, exchange);
    if (id !== (message ?? conversation)?.id) {
      model.report({ expected: 'the id of the deleted resource', exchange, conversation });
    }
  };
}
