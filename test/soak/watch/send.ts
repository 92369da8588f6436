import * as v from 'valibot';
import { toSeconds } from '../../../shared/clock.ts';
import { Message, SendMessage } from '../../../shared/contract/message.ts';
import { type Exchange, isDone, isUnknown, type Request } from '../exchange.ts';
import { isPossibleContact } from '../judge/contact.ts';
import { messageOfSend } from '../judge/known-message.ts';
import { isReplayed, onceKey, watchOnce } from '../judge/once.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, SendModel } from '../model/things.ts';
import { bodyOf, type Watch } from './watch.ts';

/** A send whose reply was lost may still be carried out for so long. */
const sendLivesMilliseconds = 15_000;

export const watchSend: Watch = (model, request) => {
  const body = v.parse(SendMessage, request.sent.body);
  const conversation = model.conversations.get(body.conversation_id);
  const send = conversation && sendOf(conversation, request, body);
  const alone = conversation?.sending.underWay === 0;
  if (conversation) {
    conversation.sending.underWay += 1;
    conversation.sending.begun = request.begun;
  }
  const judgeOnce = watchOnce(model, request);
  return (exchange) => {
    judgeOnce(exchange);
    judgeStatus(model, exchange, 201, 404, ...(onceKey(exchange) ? [409, 422] : []));
    if (!isReplayed(exchange) && ![409, 422].includes(exchange.reply.status)) {
      judgeOutcome(model, exchange, { conversation });
    }
    if (!conversation || !send) return;
    if (isDone(exchange)) judgeSent(model, exchange, conversation, send);
    if ([404, 422].includes(exchange.reply.status)) send.refused = true;
    const wasLast = alone && conversation.sending.begun === request.begun;
    noteActivity(exchange, conversation, send, wasLast);
  };
};

function sendOf(
  { sends, log }: ConversationModel,
  { who, begun, begunAt }: Request,
  { message, attachments }: v.InferOutput<typeof SendMessage>,
): SendModel {
  const known = sends.get(message);
  if (known) return known;
  const send: SendModel = {
    text: message,
    by: who.id,
    attachments: JSON.stringify(attachments ?? []),
    begun,
    begunAt,
    after: log.at(-1)?.id ?? '',
    refused: false,
  };
  sends.set(message, send);
  return send;
}

/** Sending answers with the message as it is when it has just been sent, also when it answers once more. */
function judgeSent(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  send: SendModel,
): void {
  const shown = bodyOf(Message, exchange);
  const message = messageOfSend(model, exchange, conversation, send, shown);
  const rules: [string, boolean][] = [
    ['the conversation', shown.conversation_id === conversation.id],
    ['the text as it was sent', shown.message === send.text],
    ['the attachments as they were sent', JSON.stringify(shown.attachments) === send.attachments],
    ['no reactions', shown.reactions.length === 0],
    ['read by nobody', shown.read_at === null],
    ['never changed', shown.updated_at === null],
    ['one created_at', shown.created_at === message?.created_at],
    [
      'created_at as the request was under way',
      shown.created_at >= toSeconds(send.begunAt) &&
        shown.created_at <= toSeconds(exchange.endedAt),
    ],
    ['the sender', isPossibleContact(model, exchange, send.by, shown.contact)],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
  if (!model.writers.has(send.by)) model.writers.set(send.by, exchange.endedAt);
}

/** The losing twin of a send, and one whose outcome is not known, may have been some activity as well. */
function noteActivity(
  exchange: Exchange,
  { sending, activity }: ConversationModel,
  { message }: SendModel,
  wasLast: boolean,
): void {
  if (isUnknown(exchange)) {
    activity.most = Math.max(activity.most, exchange.endedAt + sendLivesMilliseconds);
    return;
  }
  sending.underWay -= 1;
  sending.ended = exchange.ended;
  const { status } = exchange.reply;
  if (status === 404 || status === 422) return;
  const sentAt = message?.sentAt ?? 0;
  const mayHaveMoved = isReplayed(exchange) || status === 409;
  activity.least = Math.max(activity.least, sentAt);
  if (wasLast && !mayHaveMoved) activity.most = sentAt;
  else activity.most = Math.max(activity.most, mayHaveMoved ? exchange.endedAt : sentAt);
}
