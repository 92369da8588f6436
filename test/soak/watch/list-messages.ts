import { listMessages } from '../../../shared/contract/operations.ts';
import { type Exchange, isDone, isUnknown } from '../exchange.ts';
import { judgeAcross } from '../judge/across.ts';
import { knownMessage } from '../judge/known-message.ts';
import { judgeMessage } from '../judge/message.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import { judgeStretch } from '../judge/stretch.ts';
import { settingsOf } from '../model/conversation-model.ts';
import type { ConversationModel } from '../model/things.ts';
import type { World } from '../model/world.ts';
import { bodyOf, type Watch } from './watch.ts';

export const watchListMessages: Watch = (world, request) => {
  const id = request.sent.query?.conversation_id;
  if (id === undefined) return (exchange) => watchAcross(world, exchange);
  const { who, begun } = request;
  const conversation = world.conversations.get(id);
  conversation?.readers.set(begun, who.id);
  if (conversation) {
    const { opened } = settingsOf(conversation, who.id);
    opened.firstBegun = Math.min(opened.firstBegun, begun);
  }
  return (exchange) => {
    judgeStatus(world, exchange, 200, 404);
    judgeOutcome(world, exchange, { conversation });
    if (conversation && isDone(exchange)) judgeListing(world, exchange, conversation);
    if (!isUnknown(exchange)) conversation?.readers.delete(begun);
  };
};

function judgeListing(world: World, exchange: Exchange, conversation: ConversationModel): void {
  const { data, has_more } = bodyOf(listMessages.reply, exchange);
  for (const shown of data) {
    const message = knownMessage(world, exchange, conversation, shown);
    if (message) judgeMessage(world, exchange, message, shown, true);
  }
  judgeStretch(world, exchange, conversation, {
    ids: data.map(({ id }) => id),
    hasMore: has_more,
  });
  const { begunAt, ended, who } = exchange;
  settingsOf(conversation, who.id).opened.latest = { begunAt, ended };
}

function watchAcross(world: World, exchange: Exchange): void {
  judgeStatus(world, exchange, 200);
  if (!isDone(exchange)) return;
  const { data, has_more } = bodyOf(listMessages.reply, exchange);
  for (const shown of data) {
    const conversation = world.conversations.get(shown.conversation_id);
    judgeOutcome(world, exchange, { conversation });
    const message = conversation && knownMessage(world, exchange, conversation, shown);
    if (message) judgeMessage(world, exchange, message, shown, false);
  }
  judgeAcross(world, exchange, { ids: data.map(({ id }) => id), hasMore: has_more });
}
