import * as v from 'valibot';
import { toSeconds } from '../../../shared/clock.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import {
  Conversation,
  CreateConversation,
} from '../../../shared/contract/resources/conversation.ts';
import { isUserGroup } from '../../../shared/ids.ts';
import { checkConversation } from '../checks/check-conversation.ts';
import { getOrAddConversation } from '../checks/check-conversation-page.ts';
import { checkIdempotency, getIdempotencyKey, isReplayed } from '../checks/check-idempotency.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { isBlockRefusal, isCertainlyBlocked, mayBeBlocked } from '../checks/known-blocks.ts';
import { type Caller, type Exchange, hasUnknownOutcome, isSuccess } from '../exchange/exchange.ts';
import { createConversationModel } from '../model/conversation-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { getPossibleValues } from '../model/register.ts';
import { getPossibleMembership } from '../model/user-groups.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

export const checkCreateConversation: OperationCheck = (model, request) => {
  const { caller, startOrder, sent } = request;
  const body = v.parse(CreateConversation, sent.body);
  const { group_id = null } = body;
  const isInOwnGroup = group_id === null || caller.groups.includes(group_id);
  if (isInOwnGroup || isUserGroup(group_id)) model.creations.set(startOrder, request);
  const checkReplay = checkIdempotency(model, request);
  return (exchange) => {
    checkReplay(exchange);
    const found = body.distinct ? [createConversation.statusIfExists] : [];
    checkStatus(
      model,
      exchange,
      201,
      ...found,
      403,
      ...(getIdempotencyKey(exchange) ? [409, 422] : []),
    );
    if (!hasUnknownOutcome(exchange)) model.creations.delete(startOrder);
    const { status } = exchange.reply;
    // A replayed reply does not depend on the caller's current groups.
    const isCreated = status === 201 && !isReplayed(exchange);
    const pair = {
      created_by: caller.id,
      contact_id: body.contact_id ?? null,
      group_id: body.group_id ?? null,
    };
    if (isBlockRefusal(exchange)) {
      if (!mayBeBlocked(model, pair, exchange))
        model.report({ expected: '201, as neither contact blocks the other', exchange });
      return;
    }
    const isExecuted = isSuccess(exchange) && !isReplayed(exchange);
    if (isExecuted && isCertainlyBlocked(model, pair, exchange))
      model.report({ expected: '403, as one contact blocks the other', exchange });
    const possible = isInOwnGroup
      ? new Set([true])
      : getPossibleMembership(model, group_id, caller.id, exchange);
    if (isCreated && !possible.has(true))
      model.report({ expected: '403, as the caller is not in the group', exchange });
    if (status === 403 && !possible.has(false)) model.report({ expected: '201', exchange });
    if (status === createConversation.statusIfExists && !isReplayed(exchange))
      checkExisting(model, exchange, body);
    if (status === 201) checkCreated(model, exchange, body);
  };
};

type RequestBody = v.InferOutput<typeof CreateConversation>;

const isOfPair =
  (caller: Caller, { contact_id }: RequestBody) =>
  (one: ConversationModel): boolean =>
    one.group_id === null &&
    [one.created_by, one.contact_id].sort().join() === [caller.id, contact_id].sort().join();

function checkExisting(model: Model, exchange: Exchange, body: RequestBody): void {
  const shown = parseBody(Conversation, exchange);
  const conversation = getOrAddConversation(model, exchange, shown);
  if (!conversation) return;
  if (!isOfPair(exchange.caller, body)(conversation)) {
    model.report({ expected: 'a direct conversation with the contact', exchange, conversation });
  }
  checkOutcome(model, exchange, { conversation });
  checkConversation(model, exchange, conversation, shown);
}

function checkCreated(model: Model, exchange: Exchange, body: RequestBody): void {
  const { caller, ended, endedAt, startedAt } = exchange;
  const shown = parseBody(Conversation, exchange);
  const known = model.conversations.get(shown.id);
  const existing = [...model.conversations.values()].find(
    (one) =>
      isOfPair(caller, body)(one) &&
      one.knownSince < exchange.startOrder &&
      !getPossibleValues(one.deleted, exchange).has(true),
  );
  const conversation = known ?? createConversationModel(shown, body, caller.id, ended);
  conversation.created_by = caller.id;
  model.conversations.set(shown.id, conversation);
  const rules: [string, boolean][] = [
    ['the requested contact_id', shown.contact_id === (body.contact_id ?? null)],
    ['the requested group_id', shown.group_id === (body.group_id ?? null)],
    [
      'no pinned message, and is_pinned false',
      shown.pinned_message_id === null && !shown.is_pinned,
    ],
    ['is_muted false, and archived_at null', !shown.is_muted && shown.archived_at === null],
    [
      'no last_opened_at and no last_active_at',
      shown.last_opened_at === null && shown.last_active_at === null,
    ],
    [
      'created_at during the request',
      shown.created_at <= toSeconds(endedAt) &&
        (isReplayed(exchange) || shown.created_at >= toSeconds(startedAt)),
    ],
    [
      `the conversation ${existing?.id}, which the pair already has`,
      !body.distinct || isReplayed(exchange) || existing === undefined,
    ],
    [
      'a new id',
      known === undefined || isReplayed(exchange) || known.knownSince >= exchange.startOrder,
    ],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
}
