import * as v from 'valibot';
import {
  Conversation,
  UpdateConversation,
} from '../../../shared/contract/resources/conversation.ts';
import { isParticipant } from '../../response-invariants/permissions.ts';
import { checkConversation } from '../checks/check-conversation.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import { getSettings } from '../model/conversation-model.ts';
import { getSequence } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { getPossibleValues } from '../model/register.ts';
import { asPossibleMember } from '../model/user-groups.ts';
import { findConversation, type OperationCheck, parseBody } from './operation-check.ts';
import { registerWrite, type SettleWrite } from './register-write.ts';

export const checkRetrieveConversation: OperationCheck = (model, request) => {
  const conversation = findConversation(model, request);
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    checkOutcome(model, exchange, { conversation });
    if (conversation && isSuccess(exchange)) {
      checkConversation(model, exchange, conversation, parseBody(Conversation, exchange));
    }
  };
};

export const checkUpdateConversation: OperationCheck = (model, request) => {
  const { caller, sent } = request;
  const conversation = findConversation(model, request);
  const { pinned_message_id, is_pinned, is_muted, archived_at, last_read_message_id } = v.parse(
    UpdateConversation,
    sent.body,
  );
  const settles: SettleWrite[] = [];
  const markedConversation = last_read_message_id !== undefined && conversation;
  if (markedConversation) recordReadStart(request, markedConversation);
  if (conversation && isParticipant(conversation, asPossibleMember(conversation, caller))) {
    const settings = getSettings(conversation, caller.id);
    const set = registerWrite.bind(undefined, model, request, conversation);
    if (pinned_message_id !== undefined) settles.push(set(conversation.pin, pinned_message_id));
    if (is_pinned !== undefined) settles.push(set(settings.is_pinned, is_pinned));
    if (is_muted !== undefined) settles.push(set(settings.is_muted, is_muted));
    if (archived_at !== undefined) settles.push(set(settings.archived_at, archived_at));
  }
  return (exchange) => {
    for (const settle of settles) settle(exchange);
    checkStatus(model, exchange, 200, 400, 403, 404);
    checkOutcome(model, exchange, { conversation });
    if (!conversation || hasUnknownOutcome(exchange)) return;
    checkPinning(model, exchange, conversation, pinned_message_id);
    if (markedConversation && isSuccess(exchange))
      recordRead(exchange, markedConversation, last_read_message_id);
    conversation.readers.delete(exchange.startOrder);
    if (!isSuccess(exchange)) return;
    const shown = parseBody(Conversation, exchange);
    checkConversation(model, exchange, conversation, shown);
    const {
      expand: _,
      last_read_message_id: __,
      ...wanted
    } = v.parse(UpdateConversation, sent.body);
    const isAsSet = Object.entries(wanted).every(
      ([name, value]) => new Map(Object.entries(shown)).get(name) === value,
    );
    if (!isAsSet) model.report({ expected: 'the values in the request', exchange, conversation });
  };
};

function recordReadStart({ caller, startOrder }: Request, conversation: ConversationModel): void {
  conversation.readers.set(startOrder, caller.id);
  const { opened } = getSettings(conversation, caller.id);
  opened.firstStart = Math.min(opened.firstStart, startOrder);
}

/**
 * Minimum number of newest known messages that the API marks as read. The API marks the newest 100
 * messages, which may include messages that the model does not contain.
 */
const minMarkedMessages = 20;

function recordRead(
  { startOrder, startedAt, ended, caller }: Exchange,
  conversation: ConversationModel,
  last: string,
): void {
  const sequence = getSequence({ id: last });
  const settings = getSettings(conversation, caller.id);
  settings.opened.latest = { startedAt, ended };
  if (sequence > (settings.listedUpTo.at(-1)?.sequence ?? 0))
    settings.listedUpTo.push({ sequence, ended });
  const newest = conversation.log
    .filter((one) => getSequence(one) <= sequence)
    .slice(-minMarkedMessages);
  const markedFrom = newest[0] ? getSequence(newest[0]) : sequence;
  conversation.readReports.push({ by: caller.id, sequence, markedFrom, startOrder, ended });
}

function checkPinning(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  pinned: string | null | undefined,
): void {
  const message = pinned ? model.messages.get(pinned) : undefined;
  const { status } = exchange.reply;
  if (status !== 400 && status !== 200) return;
  const possibleValues = message ? getPossibleValues(message.deleted, exchange) : new Set([false]);
  if (!possibleValues.has(status === 400)) {
    const expected =
      status === 400
        ? 'a status other than 400, as the pin is valid'
        : '400, as the message was deleted';
    model.report({ expected, exchange, conversation });
  }
}
