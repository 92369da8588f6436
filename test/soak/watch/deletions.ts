import { Deleted } from '../../../shared/contract/deleted.ts';
import { isOwn, mayDelete, takesPart } from '../../oracle/participants.ts';
import { type Exchange, isDone, type Request } from '../exchange.ts';
import { judgeOutcome, judgeStatus, type Target } from '../judge/outcome.ts';
import type { Model } from '../model/model.ts';
import { setting } from './settle.ts';
import { bodyOf, conversationOf, messageOf, type Watch } from './watch.ts';

export const watchDeleteMessage: Watch = (model, request) => {
  const message = messageOf(model, request);
  const allowed = message !== undefined && isOwn(message, request.who.id);
  return watchDeletion(model, request, {
    conversation: message?.conversation,
    message,
    allowed,
  });
};

export const watchDeleteConversation: Watch = (model, request) => {
  const conversation = conversationOf(model, request);
  const allowed = conversation !== undefined && mayDelete(conversation, request.who);
  return watchDeletion(model, request, { conversation, allowed });
};

function watchDeletion(model: Model, request: Request, target: Target) {
  const { conversation, message, allowed } = target;
  const gone = (message ?? conversation)?.gone;
  const mayHappen = allowed && conversation && takesPart(conversation, request.who);
  const settle = gone && mayHappen && setting(model, request, conversation, gone, true);
  return (exchange: Exchange) => {
    judgeStatus(model, exchange, 200, 403, 404);
    if (!isDone(exchange)) {
      // First, so that its own attempt is no reason for a 404.
      if (settle) settle(exchange);
      judgeOutcome(model, exchange, target);
      return;
    }
    judgeOutcome(model, exchange, target);
    if (settle) settle(exchange);
    const { id } = bodyOf(Deleted, exchange);
    if (id !== (message ?? conversation)?.id) {
      model.report({ expected: 'the id of what was deleted', exchange, conversation });
    }
  };
}
