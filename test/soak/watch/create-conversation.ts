import * as v from 'valibot';
import { toSeconds } from '../../../shared/clock.ts';
import { Conversation, CreateConversation } from '../../../shared/contract/conversation.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import { type Exchange, isUnknown, type Who } from '../exchange.ts';
import { judgeConversation } from '../judge/conversation.ts';
import { knownConversation } from '../judge/conversation-page.ts';
import { isReplayed, onceKey, watchOnce } from '../judge/once.ts';
import { judgeOutcome, judgeStatus } from '../judge/outcome.ts';
import { newConversationModel } from '../model/conversation-model.ts';
import type { Model } from '../model/model.ts';
import { possibleValues } from '../model/register.ts';
import type { ConversationModel } from '../model/things.ts';
import { bodyOf, type Watch } from './watch.ts';

export const watchCreateConversation: Watch = (model, request) => {
  const { who, begun, sent } = request;
  const body = v.parse(CreateConversation, sent.body);
  const isMember = !body.group_id || who.groups.includes(body.group_id);
  if (isMember) model.creations.set(begun, request);
  const judgeOnce = watchOnce(model, request);
  return (exchange) => {
    judgeOnce(exchange);
    const found = body.distinct ? [createConversation.statusOfFound] : [];
    judgeStatus(model, exchange, 201, ...found, 403, ...(onceKey(exchange) ? [409, 422] : []));
    if (!isUnknown(exchange)) model.creations.delete(begun);
    const { status } = exchange.reply;
    // A reply that is given again does not ask about the group any more.
    const isAnswered = status === 201 && !isReplayed(exchange);
    if ((isAnswered && !isMember) || (status === 403 && isMember)) {
      model.report({ expected: isMember ? '201' : '403, as the group is not theirs', exchange });
    }
    if (status === createConversation.statusOfFound && !isReplayed(exchange))
      judgeFound(model, exchange, body);
    if (status === 201) judgeCreated(model, exchange, body);
  };
};

type Asked = v.InferOutput<typeof CreateConversation>;

/** Whether these are the two that ask for the one that they have. */
const isOfPair =
  (who: Who, { contact_id }: Asked) =>
  (one: ConversationModel): boolean =>
    one.group_id === null &&
    [one.created_by, one.contact_id].sort().join() === [who.id, contact_id].sort().join();

/** The one that two have. */
function judgeFound(model: Model, exchange: Exchange, body: Asked): void {
  const shown = bodyOf(Conversation, exchange);
  const conversation = knownConversation(model, exchange, shown);
  if (!conversation) return;
  if (!isOfPair(exchange.who, body)(conversation)) {
    model.report({ expected: 'a direct conversation with the contact', exchange, conversation });
  }
  judgeOutcome(model, exchange, { conversation });
  judgeConversation(model, exchange, conversation, shown);
}

function judgeCreated(model: Model, exchange: Exchange, body: Asked): void {
  const { who, ended, endedAt, begunAt } = exchange;
  const shown = bodyOf(Conversation, exchange);
  const known = model.conversations.get(shown.id);
  const there = [...model.conversations.values()].find(
    (one) =>
      isOfPair(who, body)(one) &&
      one.known < exchange.begun &&
      !possibleValues(one.gone, exchange).has(true),
  );
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
      `the conversation ${there?.id}, which the two have`,
      !body.distinct || isReplayed(exchange) || there === undefined,
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
