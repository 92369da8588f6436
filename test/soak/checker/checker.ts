import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  listBusinesses,
  listConversations,
  listEvents,
  listMessages,
  retrieveContact,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
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
import { checkCreateConversation } from '../operations/create-conversation.ts';
import { checkDeleteConversation, checkDeleteMessage } from '../operations/delete.ts';
import { checkListBusinesses } from '../operations/list-businesses.ts';
import { checkListConversations } from '../operations/list-conversations.ts';
import { checkListEvents } from '../operations/list-events.ts';
import { checkListMessages } from '../operations/list-messages.ts';
import type { OperationCheck } from '../operations/operation-check.ts';
import {
  checkRetrieveConversation,
  checkUpdateConversation,
} from '../operations/read-and-update-conversation.ts';
import { checkRetrieveMessage, checkUpdateMessage } from '../operations/read-and-update-message.ts';
import { checkRetrieveContact } from '../operations/retrieve-contact.ts';
import { checkSend } from '../operations/send-message.ts';
import { formatExchange } from './format-exchange.ts';
import { isOverloaded } from './is-overloaded.ts';

/** Sees everything that people ask and are answered, and reports whatever does not fit together. */
export interface Checker {
  model: Model;
  /** To be called as a request is sent; gives what to call with its reply. */
  begin(who: Caller, row: Operation, sent: RequestParts): (reply: ObservedReply) => Exchange;
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
  [retrieveContact.id, checkRetrieveContact],
  [listBusinesses.id, checkListBusinesses],
]);

/** Whether more is known of the operation's replies than what the contract promises. */
export const isChecked = ({ id }: Operation): boolean => operationChecks.has(id);

export function startChecker(
  report: (violation: Violation) => void,
  starved = isOverloaded,
): Checker {
  const model = createModel(report);
  const tick = () => {
    model.now += 1;
    return model.now;
  };
  return {
    model,
    begin: (who, row, sent) => {
      const request: Request = { who, row, sent, startOrder: tick(), startedAt: Date.now() };
      model.inFlight.add(request.startOrder);
      recordGroups(model, who);
      const judge = operationChecks.get(row.id)?.(model, request);
      return (reply) => {
        const exchange: Exchange = { ...request, ended: tick(), endedAt: Date.now(), reply };
        model.inFlight.delete(request.startOrder);
        checkExchange(model, exchange, starved());
        const breaches = findContractViolations(exchange);
        for (const expected of breaches) model.report({ expected, exchange });
        // A body that is not what the contract says tells nothing.
        if (breaches.length === 0) judge?.(exchange);
        return exchange;
      };
    },
  };
}

function recordGroups({ memberships }: Model, { id, groups }: Caller): void {
  memberships.set(id, new Set([...(memberships.get(id) ?? []), ...groups]));
}

function findContractViolations({ row, sent, reply }: Exchange): string[] {
  // That there is none is reported where it is no fault of the machine's.
  if (reply.status === 0) return [];
  return [...findBreaches({ row, query: sent.query ?? {} }, reply), ...findUnknownHeaders(reply)];
}

/** Where a machine is slow the service may be too busy, and say so. */
const unavailableStatus = 503;

/** What a function is given to load, and again to answer; then the gateway answers in its place. Milliseconds, about. */
const functionTimeout = 9500;

/** Any other failure is a fault of the service; so is a time-out, unless there was no time for anything. */
const isExcusedByLoad = (
  { reply, startedAt: begunAt, endedAt }: Exchange,
  starved: boolean,
): boolean =>
  reply.status === unavailableStatus || (starved && endedAt - begunAt >= functionTimeout);

function checkExchange(model: Model, exchange: Exchange, starved: boolean): void {
  const { sent } = exchange;
  if (hasUnknownOutcome(exchange) && !isExcusedByLoad(exchange, starved)) {
    model.report({ expected: 'no fault of the service', exchange });
  }
  const message = model.messages.get(sent.path?.message_id ?? '');
  const id =
    sent.path?.conversation_id ?? sent.query?.conversation_id ?? sent.body?.conversation_id;
  const conversation = message?.conversation ?? model.conversations.get(String(id));
  if (conversation) recordEvent(conversation, formatExchange(exchange));
}
