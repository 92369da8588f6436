import type { Message } from '../../../shared/contract/message.ts';
import { listMessages } from '../../../shared/contract/operations.ts';
import { type Exchange, isDone, isUnknown } from '../exchange.ts';
import { judgeAcross } from '../judge/across.ts';
import { knownMessage } from '../judge/known-message.ts';
import { judgeMessage } from '../judge/message.ts';
import { checkMessagePage } from '../judge/message-page.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import { settingsOf } from '../model/conversation-model.ts';
import { placeOf } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/things.ts';
import { bodyOf, isPeek, type Watch } from './watch.ts';

export const watchListMessages: Watch = (model, request) => {
  const id = request.sent.query?.conversation_id;
  if (id === undefined) return (exchange) => watchAcross(model, exchange);
  const { who, begun } = request;
  const conversation = model.conversations.get(id);
  if (conversation && !isPeek(request)) {
    conversation.readers.set(begun, who.id);
    const { opened } = settingsOf(conversation, who.id);
    opened.firstBegun = Math.min(opened.firstBegun, begun);
  }
  return (exchange) => {
    judgeStatus(model, exchange, 200, 404);
    judgeOutcome(model, exchange, { conversation });
    if (conversation && isDone(exchange)) judgeListing(model, exchange, conversation);
    if (!isUnknown(exchange)) conversation?.readers.delete(begun);
  };
};

function judgeListing(model: Model, exchange: Exchange, conversation: ConversationModel): void {
  const { data, has_more } = bodyOf(listMessages.reply, exchange);
  const marks = !isPeek(exchange);
  for (const shown of data) {
    const message = knownMessage(model, exchange, conversation, shown);
    if (message) judgeMessage(model, exchange, message, shown, marks);
  }
  checkMessagePage(model, exchange, conversation, {
    ids: data.map(({ id }) => id),
    hasMore: has_more,
  });
  if (marks) noteOpening(exchange, conversation, data);
}

function noteOpening(
  { begunAt, ended, who }: Exchange,
  conversation: ConversationModel,
  [newest]: readonly Message[],
): void {
  const { opened, given } = settingsOf(conversation, who.id);
  opened.latest = { begunAt, ended };
  const place = newest ? placeOf(newest) : 0;
  if (place > (given.at(-1)?.place ?? 0)) given.push({ place, ended });
}

function watchAcross(model: Model, exchange: Exchange): void {
  judgeStatus(model, exchange, 200);
  if (!isDone(exchange)) return;
  const { data, has_more } = bodyOf(listMessages.reply, exchange);
  for (const shown of data) {
    const conversation = model.conversations.get(shown.conversation_id);
    judgeOutcome(model, exchange, { conversation });
    const message = conversation && knownMessage(model, exchange, conversation, shown);
    if (message) judgeMessage(model, exchange, message, shown, false);
  }
  judgeAcross(model, exchange, { ids: data.map(({ id }) => id), hasMore: has_more });
}
