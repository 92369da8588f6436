import * as v from 'valibot';
import { toSeconds } from '../../../shared/clock.ts';
import { Message, SendMessage } from '../../../shared/contract/resources/message.ts';
import { checkIdempotency, getIdempotencyKey, isReplayed } from '../checks/check-idempotency.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { getMessageOfSend } from '../checks/known-message.ts';
import { isPossibleContact } from '../checks/possible-contact.ts';
import { type Exchange, hasUnknownOutcome, isSuccess, type Request } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, SendModel } from '../model/model-types.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

/** Milliseconds within which a send with an unknown outcome may still take effect. */
const maxSendMilliseconds = 15_000;

export const checkSend: OperationCheck = (model, request) => {
  const body = v.parse(SendMessage, request.sent.body);
  const conversation = model.conversations.get(body.conversation_id);
  const send = conversation && getOrCreateSend(conversation, request, body);
  const isOnlySend = conversation?.sending.inFlight === 0;
  if (conversation) {
    conversation.sending.inFlight += 1;
    conversation.sending.startOrder = request.startOrder;
  }
  const checkReplay = checkIdempotency(model, request);
  return (exchange) => {
    checkReplay(exchange);
    const ofKeys = getIdempotencyKey(exchange) ? [409, 422] : [];
    checkStatus(model, exchange, 201, 403, 404, ...ofKeys);
    if (!isReplayed(exchange) && ![400, 409, 422].includes(exchange.reply.status)) {
      checkOutcome(model, exchange, { conversation });
    }
    if (!conversation || !send) return;
    if (isSuccess(exchange)) checkSent(model, exchange, conversation, send);
    if ([400, 403, 404, 422].includes(exchange.reply.status)) send.refused = true;
    const wasLast = isOnlySend && conversation.sending.startOrder === request.startOrder;
    recordActivity(exchange, conversation, send, wasLast);
  };
};

function getOrCreateSend(
  { sends, log }: ConversationModel,
  { caller, startOrder, startedAt }: Request,
  { message, attachments }: v.InferOutput<typeof SendMessage>,
): SendModel {
  const known = sends.get(message);
  if (known) return known;
  const send: SendModel = {
    text: message,
    by: caller.id,
    attachments: JSON.stringify(attachments ?? []),
    startOrder,
    startedAt,
    previousId: log.at(-1)?.id ?? '',
    refused: false,
  };
  sends.set(message, send);
  return send;
}

/** Checks that a send or its replay returns the message as first stored. */
function checkSent(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  send: SendModel,
): void {
  const shown = parseBody(Message, exchange);
  const message = getMessageOfSend(model, exchange, conversation, send, shown);
  const rules: [string, boolean][] = [
    ['the conversation', shown.conversation_id === conversation.id],
    ['the sent text', shown.message === send.text],
    ['the sent attachments', JSON.stringify(shown.attachments) === send.attachments],
    ['no reactions', shown.reactions.length === 0],
    ['no read_at', shown.read_at === null],
    ['updated_at null', shown.updated_at === null],
    ['created_at as in earlier replies', shown.created_at === message?.created_at],
    [
      'created_at during the request',
      shown.created_at >= toSeconds(send.startedAt) &&
        shown.created_at <= toSeconds(exchange.endedAt),
    ],
    ['the sender', isPossibleContact(model, exchange, send.by, shown.contact)],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
  if (!model.writers.has(send.by)) model.writers.set(send.by, exchange.endedAt);
}

/**
 * Records the possible times of the last activity. A concurrent duplicate, a blocked send, or a
 * send with an unknown outcome may also count as activity.
 */
function recordActivity(
  exchange: Exchange,
  { sending, activity }: ConversationModel,
  { message }: SendModel,
  wasLast: boolean,
): void {
  if (hasUnknownOutcome(exchange)) {
    activity.latest = Math.max(activity.latest, exchange.endedAt + maxSendMilliseconds);
    return;
  }
  sending.inFlight -= 1;
  sending.ended = exchange.ended;
  const { status } = exchange.reply;
  if ([400, 404, 422].includes(status)) return;
  const sentAt = message?.sentAt ?? 0;
  const mayCountAsActivity = isReplayed(exchange) || status === 403 || status === 409;
  activity.earliest = Math.max(activity.earliest, sentAt);
  if (wasLast && !mayCountAsActivity) activity.latest = sentAt;
  else activity.latest = Math.max(activity.latest, mayCountAsActivity ? exchange.endedAt : sentAt);
}
