import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createBlock,
  createConversation,
  createGroup,
  deleteBlock,
  deleteConversation,
  deleteGroup,
  deleteMessage,
  listBlocks,
  listBusinesses,
  listConversations,
  listEvents,
  listGroupMembers,
  listGroups,
  listMessages,
  listReaders,
  putGroupMember,
  removeGroupMember,
  retrieveBusiness,
  retrieveContact,
  retrieveConversation,
  retrieveGroup,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateGroup,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { findBreaches } from '../../response-invariants/check-reply.ts';
import { findUnknownHeaders } from '../../response-invariants/header-rules.ts';
import type { ObservedReply } from '../../response-invariants/observed-reply.ts';
import {
  type Caller,
  type Exchange,
  hasUnknownOutcome,
  type Request,
  type RequestParts,
} from '../exchange/exchange.ts';
import { recordEvent } from '../model/conversation-model.ts';
import { createModel, type Model, type Violation } from '../model/model.ts';
import { checkCreateBlock, checkDeleteBlock, checkListBlocks } from '../operations/blocks.ts';
import { checkCreateConversation } from '../operations/create-conversation.ts';
import { checkDeleteConversation, checkDeleteMessage } from '../operations/delete.ts';
import {
  checkListMembers,
  checkPutMember,
  checkRemoveMember,
} from '../operations/group-members.ts';
import { checkListBusinesses } from '../operations/list-businesses.ts';
import { checkListConversations } from '../operations/list-conversations.ts';
import { checkListEvents } from '../operations/list-events.ts';
import { checkListMessages } from '../operations/list-messages.ts';
import { checkListReaders } from '../operations/list-readers.ts';
import type { OperationCheck } from '../operations/operation-check.ts';
import {
  checkRetrieveConversation,
  checkUpdateConversation,
} from '../operations/read-and-update-conversation.ts';
import { checkRetrieveMessage, checkUpdateMessage } from '../operations/read-and-update-message.ts';
import { checkRetrieveBusiness } from '../operations/retrieve-business.ts';
import { checkRetrieveContact } from '../operations/retrieve-contact.ts';
import { checkSend } from '../operations/send-message.ts';
import {
  checkCreateGroup,
  checkDeleteGroup,
  checkListGroups,
  checkRetrieveGroup,
  checkUpdateGroup,
} from '../operations/user-groups.ts';
import { formatExchange } from './format-exchange.ts';
import { isOverloaded } from './is-overloaded.ts';

/** A checker that compares requests and replies with the contract and a model. */
export interface Checker {
  model: Model;
  /** Records the start of a request. Returns the function to call with the reply. */
  begin(caller: Caller, row: Operation, sent: RequestParts): (reply: ObservedReply) => Exchange;
}

const operationChecks = new Map<string, OperationCheck>([
  [createConversation.id, checkCreateConversation],
  [retrieveConversation.id, checkRetrieveConversation],
  [listConversations.id, checkListConversations],
  [updateConversation.id, checkUpdateConversation],
  [deleteConversation.id, checkDeleteConversation],
  [sendMessage.id, checkSend],
  [listMessages.id, checkListMessages],
  [listEvents.id, checkListEvents],
  [retrieveMessage.id, checkRetrieveMessage],
  [updateMessage.id, checkUpdateMessage],
  [deleteMessage.id, checkDeleteMessage],
  [listReaders.id, checkListReaders],
  [createBlock.id, checkCreateBlock],
  [deleteBlock.id, checkDeleteBlock],
  [listBlocks.id, checkListBlocks],
  [createGroup.id, checkCreateGroup],
  [listGroups.id, checkListGroups],
  [retrieveGroup.id, checkRetrieveGroup],
  [updateGroup.id, checkUpdateGroup],
  [deleteGroup.id, checkDeleteGroup],
  [listGroupMembers.id, checkListMembers],
  [putGroupMember.id, checkPutMember],
  [removeGroupMember.id, checkRemoveMember],
  [retrieveContact.id, checkRetrieveContact],
  [listBusinesses.id, checkListBusinesses],
  [retrieveBusiness.id, checkRetrieveBusiness],
]);

/** Reports whether the checker compares the operation's replies with the model. */
export const isChecked = ({ id }: Operation): boolean => operationChecks.has(id);

export function startChecker(
  report: (violation: Violation) => void,
  isStarved = isOverloaded,
): Checker {
  const model = createModel(report);
  const tick = () => {
    model.now += 1;
    return model.now;
  };
  return {
    model,
    begin: (caller, row, sent) => {
      const request: Request = { caller, row, sent, startOrder: tick(), startedAt: Date.now() };
      model.inFlight.add(request.startOrder);
      recordGroups(model, caller);
      const checkReply = operationChecks.get(row.id)?.(model, request);
      return (reply) => {
        const exchange: Exchange = { ...request, ended: tick(), endedAt: Date.now(), reply };
        model.inFlight.delete(request.startOrder);
        checkExchange(model, exchange, isStarved());
        const breaches = findContractViolations(exchange);
        for (const expected of breaches) model.report({ expected, exchange });
        // A reply that breaks the contract cannot be compared with the model.
        if (breaches.length === 0) checkReply?.(exchange);
        return exchange;
      };
    },
  };
}

function recordGroups({ memberships }: Model, { id, groups }: Caller): void {
  memberships.set(id, new Set([...(memberships.get(id) ?? []), ...groups]));
}

function findContractViolations({ row, sent, reply }: Exchange): string[] {
  // checkExchange reports missing replies, unless the machine is overloaded.
  if (reply.status === 0) return [];
  return [...findBreaches({ row, query: sent.query ?? {} }, reply), ...findUnknownHeaders(reply)];
}

/** Status of the overload error, which the service may return on a slow machine. */
const unavailableStatus = 503;

/** Milliseconds, slightly less than the functions' time limit of 10 seconds. */
const functionTimeout = 9500;

/** Reports whether load explains the failure: a 503, or a time-out on an overloaded machine. */
const isExcusedByLoad = ({ reply, startedAt, endedAt }: Exchange, isStarved: boolean): boolean =>
  reply.status === unavailableStatus || (isStarved && endedAt - startedAt >= functionTimeout);

function checkExchange(model: Model, exchange: Exchange, isStarved: boolean): void {
  const { sent } = exchange;
  if (hasUnknownOutcome(exchange) && !isExcusedByLoad(exchange, isStarved)) {
    model.report({ expected: 'no service failure', exchange });
  }
  const message = model.messages.get(sent.path?.message_id ?? '');
  const id =
    sent.path?.conversation_id ?? sent.query?.conversation_id ?? sent.body?.conversation_id;
  const conversation = message?.conversation ?? model.conversations.get(String(id));
  if (conversation) recordEvent(conversation, formatExchange(exchange));
}
