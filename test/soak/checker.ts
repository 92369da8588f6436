import type { Operation } from '../../shared/contract/operation.ts';
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
} from '../../shared/contract/operations.ts';
import { strangeHeadersOf } from '../oracle/headers.ts';
import type { Observed } from '../oracle/observed.ts';
import { breachesOf } from '../oracle/reply.ts';
import { type Exchange, isUnknown, type Request, type Sent, type Who } from './exchange.ts';
import { exchangeText } from './exchange-text.ts';
import { note } from './model/conversation-model.ts';
import { type Model, newModel, type Violation } from './model/model.ts';
import { isStarved } from './starved.ts';
import { watchRetrieveContact } from './watch/contacts.ts';
import { watchRetrieveConversation, watchUpdateConversation } from './watch/conversations.ts';
import { watchCreateConversation } from './watch/create-conversation.ts';
import { watchDeleteConversation, watchDeleteMessage } from './watch/deletions.ts';
import { watchListBusinesses } from './watch/list-businesses.ts';
import { watchListConversations } from './watch/list-conversations.ts';
import { watchListEvents } from './watch/list-events.ts';
import { watchListMessages } from './watch/list-messages.ts';
import { watchRetrieveMessage, watchUpdateMessage } from './watch/messages.ts';
import { watchSend } from './watch/send.ts';
import type { Watch } from './watch/watch.ts';

/** Sees everything that people ask and are answered, and reports whatever does not fit together. */
export interface Checker {
  model: Model;
  /** To be called as a request is sent; gives what to call with its reply. */
  begin(who: Who, row: Operation, sent: Sent): (reply: Observed) => Exchange;
}

const watches = new Map<string, Watch>([
  [createConversation.id, watchCreateConversation],
  [retrieveConversation.id, watchRetrieveConversation],
  [listConversations.id, watchListConversations],
  [updateConversation.id, watchUpdateConversation],
  [deleteConversation.id, watchDeleteConversation],
  [sendMessage.id, watchSend],
  [listMessages.id, watchListMessages],
  [listEvents.id, watchListEvents],
  [retrieveMessage.id, watchRetrieveMessage],
  [updateMessage.id, watchUpdateMessage],
  [deleteMessage.id, watchDeleteMessage],
  [retrieveContact.id, watchRetrieveContact],
  [listBusinesses.id, watchListBusinesses],
]);

/** Whether more is known of the operation's replies than what the contract promises. */
export const isModelled = ({ id }: Operation): boolean => watches.has(id);

export function startChecker(report: (violation: Violation) => void, starved = isStarved): Checker {
  const model = newModel(report);
  const tick = () => {
    model.now += 1;
    return model.now;
  };
  return {
    model,
    begin: (who, row, sent) => {
      const request: Request = { who, row, sent, begun: tick(), begunAt: Date.now() };
      model.underWay.add(request.begun);
      noteGroups(model, who);
      const judge = watches.get(row.id)?.(model, request);
      return (reply) => {
        const exchange: Exchange = { ...request, ended: tick(), endedAt: Date.now(), reply };
        model.underWay.delete(request.begun);
        tell(model, exchange, starved());
        const breaches = notAsPromised(exchange);
        for (const expected of breaches) model.report({ expected, exchange });
        // A body that is not what the contract says tells nothing.
        if (breaches.length === 0) judge?.(exchange);
        return exchange;
      };
    },
  };
}

function noteGroups({ memberships }: Model, { id, groups }: Who): void {
  memberships.set(id, new Set([...(memberships.get(id) ?? []), ...groups]));
}

function notAsPromised({ row, sent, reply }: Exchange): string[] {
  // That there is none is reported where it is no fault of the machine's.
  if (reply.status === 0) return [];
  return [...breachesOf({ row, query: sent.query ?? {} }, reply), ...strangeHeadersOf(reply)];
}

/** Where a machine is slow the service may be too busy, and say so. */
const busy = 503;

/** What a function is given to load, and again to answer; then the gateway answers in its place. Milliseconds, about. */
const functionTimeout = 9500;

/** Any other failure is a fault of the service; so is a time-out, unless there was no time for anything. */
const isExcused = ({ reply, begunAt, endedAt }: Exchange, starved: boolean): boolean =>
  reply.status === busy || (starved && endedAt - begunAt >= functionTimeout);

function tell(model: Model, exchange: Exchange, starved: boolean): void {
  const { sent } = exchange;
  if (isUnknown(exchange) && !isExcused(exchange, starved)) {
    model.report({ expected: 'no fault of the service', exchange });
  }
  const message = model.messages.get(sent.path?.message_id ?? '');
  const id =
    sent.path?.conversation_id ?? sent.query?.conversation_id ?? sent.body?.conversation_id;
  const conversation = message?.conversation ?? model.conversations.get(String(id));
  if (conversation) note(conversation, exchangeText(exchange));
}
