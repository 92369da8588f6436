import { listMessages } from '../../../shared/contract/operations.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { checkListAcross } from '../checks/check-list-across.ts';
import { checkMessage } from '../checks/check-message.ts';
import { checkMessagePage } from '../checks/check-message-page.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { getOrAddMessage } from '../checks/known-message.ts';
import { type Exchange, hasUnknownOutcome, isSuccess } from '../exchange/exchange.ts';
import { getSettings } from '../model/conversation-model.ts';
import { getSequence } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { isPeek, type OperationCheck, parseBody } from './operation-check.ts';

export const checkListMessages: OperationCheck = (model, request) => {
  const id = request.sent.query?.conversation_id;
  if (id === undefined) return (exchange) => checkAcross(model, exchange);
  const { caller, startOrder } = request;
  const conversation = model.conversations.get(id);
  if (conversation && !isPeek(request)) {
    conversation.readers.set(startOrder, caller.id);
    const { opened } = getSettings(conversation, caller.id);
    opened.firstStart = Math.min(opened.firstStart, startOrder);
  }
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    checkOutcome(model, exchange, { conversation });
    if (conversation && isSuccess(exchange)) checkListing(model, exchange, conversation);
    if (!hasUnknownOutcome(exchange)) conversation?.readers.delete(startOrder);
  };
};

function checkListing(model: Model, exchange: Exchange, conversation: ConversationModel): void {
  const { data, has_more } = parseBody(listMessages.reply, exchange);
  const marksAsRead = !isPeek(exchange);
  for (const shown of data) {
    const message = getOrAddMessage(model, exchange, conversation, shown);
    if (message) checkMessage(model, exchange, message, shown, marksAsRead);
  }
  checkMessagePage(model, exchange, conversation, {
    ids: data.map(({ id }) => id),
    hasMore: has_more,
  });
  if (marksAsRead) recordOpening(exchange, conversation, data);
}

function recordOpening(
  { startedAt, ended, caller }: Exchange,
  conversation: ConversationModel,
  [newest]: readonly Message[],
): void {
  const { opened, listedUpTo } = getSettings(conversation, caller.id);
  opened.latest = { startedAt, ended };
  const sequence = newest ? getSequence(newest) : 0;
  if (sequence > (listedUpTo.at(-1)?.sequence ?? 0)) listedUpTo.push({ sequence, ended });
}

function checkAcross(model: Model, exchange: Exchange): void {
  checkStatus(model, exchange, 200);
  if (!isSuccess(exchange)) return;
  const { data, has_more } = parseBody(listMessages.reply, exchange);
  for (const shown of data) {
    const conversation = model.conversations.get(shown.conversation_id);
    checkOutcome(model, exchange, { conversation });
    const message = conversation && getOrAddMessage(model, exchange, conversation, shown);
    if (message) checkMessage(model, exchange, message, shown, false);
  }
  checkListAcross(model, exchange, { ids: data.map(({ id }) => id), hasMore: has_more });
}
