import * as v from 'valibot';
import { toSeconds } from '../../../shared/clock.ts';
import { Conversation, CreateConversation } from '../../../shared/contract/conversation.ts';
import { type Exchange, isDone, isUnknown } from '../exchange.ts';
import { isReplayed, onceKey, watchOnce } from '../judge/once.ts';
import { judgeStatus } from '../judge/outcome.ts';
import { newConversationModel } from '../model/conversation-model.ts';
import type { Model } from '../model/model.ts';
import { bodyOf, type Watch } from './watch.ts';

export const watchCreateConversation: Watch = (model, request) => {
  const { who, begun, sent } = request;
  const body = v.parse(CreateConversation, sent.body);
  const isMember = !body.group_id || who.groups.includes(body.group_id);
  if (isMember) model.creations.set(begun, request);
  const judgeOnce = watchOnce(model, request);
  return (exchange) => {
    judgeOnce(exchange);
    judgeStatus(model, exchange, 201, 403, ...(onceKey(exchange) ? [409, 422] : []));
    if (!isUnknown(exchange)) model.creations.delete(begun);
    const { status } = exchange.reply;
    // A reply that is given again does not ask about the group any more.
    const isAnswered = status === 201 && !isReplayed(exchange);
    if ((isAnswered && !isMember) || (status === 403 && isMember)) {
      model.report({ expected: isMember ? '201' : '403, as the group is not theirs', exchange });
    }
    if (isDone(exchange)) judgeCreated(model, exchange, body);
  };
};

function judgeCreated(
  model: Model,
  exchange: Exchange,
  body: v.InferOutput<typeof CreateConversation>,
): void {
  const { who, ended, endedAt, begunAt } = exchange;
  const shown = bodyOf(Conversation, exchange);
  const known = model.conversations.get(shown.id);
  const conversation = known ?? newConversationModel(shown, body, who.id, ended);
  conversation.created_by = who.id;
  model.conversations.set(shown.id, conversation);
  const rules: [string, boolean][] = [
    ['contact_id as it was given', shown.contact_id === (body.contact_id ?? null)],
    ['group_id as it was given', shown.group_id === (body.group_id ?? null)],
    ['nothing pinned', shown.pinned_message_id === null && !shown.is_pinned],
    ['nothing set', !shown.is_muted && shown.archived_at === null],
    ['never opened, nothing sent', shown.last_opened_at === null && shown.last_active_at === null],
    [
      'created_at as the request was under way',
      shown.created_at <= toSeconds(endedAt) &&
        (isReplayed(exchange) || shown.created_at >= toSeconds(begunAt)),
    ],
    [
      'an id of its own',
      known === undefined || isReplayed(exchange) || known.known >= exchange.begun,
    ],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
}
