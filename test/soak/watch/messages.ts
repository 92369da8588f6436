import * as v from 'valibot';
import { Message, UpdateMessage } from '../../../shared/contract/message.ts';
import { isOwn } from '../../oracle/participants.ts';
import { isDone, isUnknown } from '../exchange.ts';
import { judgeMessage, reactionKey } from '../judge/message.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import { registerOf } from '../model/register.ts';
import type { MessageModel } from '../model/things.ts';
import { type Settle, setting } from './settle.ts';
import { bodyOf, isPeek, messageOf, type Watch } from './watch.ts';

export const watchRetrieveMessage: Watch = (model, request) => {
  const message = messageOf(model, request);
  const conversation = message?.conversation;
  const marks = !isPeek(request);
  if (marks) conversation?.readers.set(request.begun, request.who.id);
  return (exchange) => {
    judgeStatus(model, exchange, 200, 404);
    judgeOutcome(model, exchange, { conversation, message });
    if (message && isDone(exchange)) {
      judgeMessage(model, exchange, message, bodyOf(Message, exchange), marks);
    }
    if (!isUnknown(exchange)) conversation?.readers.delete(request.begun);
  };
};

export const watchUpdateMessage: Watch = (model, request) => {
  const { who, sent, begunAt } = request;
  const message = messageOf(model, request);
  const conversation = message?.conversation;
  const { message: text, reactions = {} } = v.parse(UpdateMessage, sent.body);
  const own = [reactions]
    .flat()
    .flatMap((map) =>
      Object.entries(map).map(([name, reactors]) => ({ name, on: reactors.includes(who.id) })),
    );
  const isSender = message !== undefined && isOwn(message, who.id);
  const settles: Settle[] = [];
  if (message && text !== undefined && isSender) {
    settles.push(setting(model, request, message.conversation, message.text, text));
    message.updates.set(text, { begunAt });
  }
  for (const { name, on } of message ? own : []) {
    const set = message && reactionOf(message, name, who.id);
    if (set) settles.push(setting(model, request, message.conversation, set, on));
  }
  return (exchange) => {
    for (const settle of settles) settle(exchange);
    judgeStatus(model, exchange, 200, 403, 404);
    const allowed = isSender || text === undefined;
    judgeOutcome(model, exchange, { conversation, message, allowed });
    if (!message || !isDone(exchange)) return;
    const shown = bodyOf(Message, exchange);
    judgeMessage(model, exchange, message, shown, false);
    const isAsSet =
      (text === undefined || shown.message === text) &&
      own.every(({ name, on }) => {
        const reactors = shown.reactions.flatMap((map) => map[name] ?? []);
        return reactors.includes(who.id) === on;
      });
    if (!isAsSet) model.report({ expected: 'what was set just now', exchange, conversation });
  };
};

function reactionOf({ reactions }: MessageModel, name: string, by: string) {
  const key = reactionKey({ name, by });
  const { set } = reactions.get(key) ?? { set: registerOf(false) };
  reactions.set(key, { name, by, set });
  return set;
}
