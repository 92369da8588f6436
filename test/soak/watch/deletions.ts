import { Deleted } from '../../../shared/contract/deleted.ts';
import { isOwn, mayDelete, takesPart } from '../../oracle/participants.ts';
import { type Exchange, isDone, type Request } from '../exchange.ts';
import { judgeOutcome, judgeStatus, type Target } from '../judge/outcome.ts';
import type { World } from '../model/world.ts';
import { setting } from './settle.ts';
import { bodyOf, conversationOf, messageOf, type Watch } from './watch.ts';

export const watchDeleteMessage: Watch = (world, request) => {
  const message = messageOf(world, request);
  const allowed = message !== undefined && isOwn(message, request.who.id);
  return watchDeletion(world, request, {
    conversation: message?.conversation,
    message,
    allowed,
  });
};

export const watchDeleteConversation: Watch = (world, request) => {
  const conversation = conversationOf(world, request);
  const allowed = conversation !== undefined && mayDelete(conversation, request.who);
  return watchDeletion(world, request, { conversation, allowed });
};

function watchDeletion(world: World, request: Request, target: Target) {
  const { conversation, message, allowed } = target;
  const gone = (message ?? conversation)?.gone;
  const mayHappen = allowed && conversation && takesPart(conversation, request.who);
  const settle = gone && mayHappen && setting(world, request, conversation, gone, true);
  return (exchange: Exchange) => {
    judgeStatus(world, exchange, 200, 403, 404);
    if (!isDone(exchange)) {
      // First, so that its own attempt is no reason for a 404.
      if (settle) settle(exchange);
      judgeOutcome(world, exchange, target);
      return;
    }
    judgeOutcome(world, exchange, target);
    if (settle) settle(exchange);
    const { id } = bodyOf(Deleted, exchange);
    if (id !== (message ?? conversation)?.id) {
      world.report({ expected: 'the id of what was deleted', exchange, conversation });
    }
  };
}
