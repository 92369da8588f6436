import * as v from 'valibot';
import { Message, UpdateMessage } from '../../../shared/contract/resources/message.ts';
import { isOwn } from '../../response-invariants/permissions.ts';
import { checkMessage, reactionKey } from '../checks/check-message.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { hasUnknownOutcome, isSuccess } from '../exchange/exchange.ts';
import type { MessageModel } from '../model/model-types.ts';
import { createRegister } from '../model/register.ts';
import { findMessage, isPeek, type OperationCheck, parseBody } from './operation-check.ts';
import { registerWrite, type SettleWrite } from './register-write.ts';

export const checkRetrieveMessage: OperationCheck = (model, request) => {
  const message = findMessage(model, request);
  const conversation = message?.conversation;
  const marksAsRead = !isPeek(request);
  if (marksAsRead) conversation?.readers.set(request.startOrder, request.caller.id);
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    checkOutcome(model, exchange, { conversation, message });
    if (message && isSuccess(exchange)) {
      checkMessage(model, exchange, message, parseBody(Message, exchange), marksAsRead);
    }
    if (!hasUnknownOutcome(exchange)) conversation?.readers.delete(request.startOrder);
  };
};

export const checkUpdateMessage: OperationCheck = (model, request) => {
  const { caller, sent, startedAt } = request;
  const message = findMessage(model, request);
  const conversation = message?.conversation;
  const { message: text, reactions = {} } = v.parse(UpdateMessage, sent.body);
  const own = [reactions]
    .flat()
    .flatMap((map) =>
      Object.entries(map).map(([name, reactors]) => ({ name, on: reactors.includes(caller.id) })),
    );
  const isSender = message !== undefined && isOwn(message, caller.id);
  const settles: SettleWrite[] = [];
  if (message && text !== undefined && isSender) {
    settles.push(registerWrite(model, request, message.conversation, message.text, text));
    message.updates.set(text, { startedAt });
  }
  for (const { name, on } of message ? own : []) {
    const set = message && getReaction(message, name, caller.id);
    if (set) settles.push(registerWrite(model, request, message.conversation, set, on));
  }
  return (exchange) => {
    for (const settle of settles) settle(exchange);
    checkStatus(model, exchange, 200, 403, 404);
    const allowed = isSender || text === undefined;
    checkOutcome(model, exchange, { conversation, message, allowed });
    if (!message || !isSuccess(exchange)) return;
    const shown = parseBody(Message, exchange);
    checkMessage(model, exchange, message, shown, false);
    const isAsSet =
      (text === undefined || shown.message === text) &&
      own.every(({ name, on }) => {
        const reactors = shown.reactions.flatMap((map) => map[name] ?? []);
        return reactors.includes(caller.id) === on;
      });
    if (!isAsSet) model.report({ expected: 'the values in the request', exchange, conversation });
  };
};

function getReaction({ reactions }: MessageModel, name: string, by: string) {
  const key = reactionKey({ name, by });
  const { set } = reactions.get(key) ?? { set: createRegister(false) };
  reactions.set(key, { name, by, set });
  return set;
}
