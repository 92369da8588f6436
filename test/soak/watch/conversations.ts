import * as v from 'valibot';
import { Conversation, UpdateConversation } from '../../../shared/contract/conversation.ts';
import { takesPart } from '../../oracle/participants.ts';
import { type Exchange, isDone, isUnknown, type Request } from '../exchange.ts';
import { judgeConversation } from '../judge/conversation.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import { settingsOf } from '../model/conversation-model.ts';
import { placeOf } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import { possibleValues } from '../model/register.ts';
import type { ConversationModel } from '../model/things.ts';
import { type Settle, setting } from './settle.ts';
import { bodyOf, conversationOf, type Watch } from './watch.ts';

export const watchRetrieveConversation: Watch = (model, request) => {
  const conversation = conversationOf(model, request);
  return (exchange) => {
    judgeStatus(model, exchange, 200, 404);
    judgeOutcome(model, exchange, { conversation });
    if (conversation && isDone(exchange)) {
      judgeConversation(model, exchange, conversation, bodyOf(Conversation, exchange));
    }
  };
};

export const watchUpdateConversation: Watch = (model, request) => {
  const { who, sent } = request;
  const conversation = conversationOf(model, request);
  const { pinned_message_id, is_pinned, is_muted, archived_at, last_read_message_id } = v.parse(
    UpdateConversation,
    sent.body,
  );
  const settles: Settle[] = [];
  const saysRead = last_read_message_id !== undefined && conversation;
  if (saysRead) beginReading(request, saysRead);
  if (conversation && takesPart(conversation, who)) {
    const settings = settingsOf(conversation, who.id);
    const set = setting.bind(undefined, model, request, conversation);
    if (pinned_message_id !== undefined) settles.push(set(conversation.pin, pinned_message_id));
    if (is_pinned !== undefined) settles.push(set(settings.is_pinned, is_pinned));
    if (is_muted !== undefined) settles.push(set(settings.is_muted, is_muted));
    if (archived_at !== undefined) settles.push(set(settings.archived_at, archived_at));
  }
  return (exchange) => {
    for (const settle of settles) settle(exchange);
    judgeStatus(model, exchange, 200, 400, 404);
    judgeOutcome(model, exchange, { conversation });
    if (!conversation || isUnknown(exchange)) return;
    judgePinning(model, exchange, conversation, pinned_message_id);
    if (saysRead && isDone(exchange)) noteReading(exchange, saysRead, last_read_message_id);
    conversation.readers.delete(exchange.begun);
    if (!isDone(exchange)) return;
    const shown = bodyOf(Conversation, exchange);
    judgeConversation(model, exchange, conversation, shown);
    const {
      expand: _,
      last_read_message_id: __,
      ...wanted
    } = v.parse(UpdateConversation, sent.body);
    const isAsSet = Object.entries(wanted).every(
      ([name, value]) => new Map(Object.entries(shown)).get(name) === value,
    );
    if (!isAsSet) model.report({ expected: 'what was set just now', exchange, conversation });
  };
};

function beginReading({ who, begun }: Request, conversation: ConversationModel): void {
  conversation.readers.set(begun, who.id);
  const { opened } = settingsOf(conversation, who.id);
  opened.firstBegun = Math.min(opened.firstBegun, begun);
}

/** Of the hundred newest that are to be marked, so many are known here for certain: others may be above them. */
const certainlyMarked = 20;

function noteReading(
  { begun, begunAt, ended, who }: Exchange,
  conversation: ConversationModel,
  last: string,
): void {
  const place = placeOf({ id: last });
  const settings = settingsOf(conversation, who.id);
  settings.opened.latest = { begunAt, ended };
  if (place > (settings.given.at(-1)?.place ?? 0)) settings.given.push({ place, ended });
  const newest = conversation.log.filter((one) => placeOf(one) <= place).slice(-certainlyMarked);
  const markedFrom = newest[0] ? placeOf(newest[0]) : place;
  conversation.saidRead.push({ by: who.id, place, markedFrom, begun, ended });
}

/** A message that is gone cannot be pinned, and one that is there can. */
function judgePinning(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  pinned: string | null | undefined,
): void {
  const message = pinned ? model.messages.get(pinned) : undefined;
  const { status } = exchange.reply;
  if (status !== 400 && status !== 200) return;
  const mayBe = message ? possibleValues(message.gone, exchange) : new Set([false]);
  if (!mayBe.has(status === 400)) {
    const expected =
      status === 400 ? 'another status than 400, as nothing is wrong' : '400, as it was deleted';
    model.report({ expected, exchange, conversation });
  }
}
