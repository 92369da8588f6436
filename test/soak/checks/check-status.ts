import {
  deleteConversation,
  deleteMessage,
  sendMessage,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { type Exchange, hasUnknownOutcome, isSuccess } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { getPossibleValues, observeValue } from '../model/register.ts';
import { mayParticipate, mustParticipate } from '../model/user-groups.ts';
import { isBlockRefusal, isCertainlyBlocked, mayBeBlocked } from './known-blocks.ts';

/**
 * The requested resource. `allowed`: whether the caller, if a participant, may perform the
 * operation.
 */
export interface Target {
  /** Undefined for an id that was never assigned. */
  conversation: ConversationModel | undefined;
  message?: MessageModel | undefined;
  allowed?: boolean;
}

export function checkOutcome(model: Model, exchange: Exchange, target: Target): void {
  if (hasUnknownOutcome(exchange)) return;
  const { reply, caller } = exchange;
  const { conversation, message, allowed = true } = target;
  const fail = (expected: string) => model.report({ expected, exchange, conversation });

  if (!conversation || !mayParticipate(model, conversation, caller, exchange)) {
    const reason = conversation ? `${caller.id} is not a participant` : 'no resource has this id';
    if (reply.status !== 404) fail(`404, as ${reason}`);
    return;
  }
  const deletions = [conversation.deleted, ...(message ? [message.deleted] : [])];
  if (reply.status === 404) {
    if (!mustParticipate(model, conversation, caller, exchange)) return;
    const deleted = deletions.filter((register) => getPossibleValues(register, exchange).has(true));
    if (deleted.length === 0) fail('a status other than 404, because no deletion has started');
    const [only] = deleted;
    if (only && deleted.length === 1) observeValue(only, exchange, true);
    return;
  }
  if (!deletions.every((register) => observeValue(register, exchange, false))) {
    fail('404, as the resource was deleted before');
  }
  if (isBlockRefusal(exchange)) {
    if (!mayBeBlocked(model, conversation, exchange))
      fail('a status other than 403, as neither contact blocks the other');
    return;
  }
  if (mustBeRefused(exchange) && isCertainlyBlocked(model, conversation, exchange))
    fail('403, as one contact blocks the other');
  if ((reply.status === 403) === allowed) {
    fail(allowed ? 'a status other than 403, as the caller may do this' : '403');
  }
}

/** Operations that always fail if one contact blocks the other. */
const writes = new Set<string>(
  [sendMessage, updateMessage, deleteMessage, deleteConversation].map(({ id }) => id),
);

const mustBeRefused = (exchange: Exchange): boolean =>
  writes.has(exchange.row.id) && isSuccess(exchange);

/** Checks the status. Ignores 5xx and missing replies, which `checkExchange` checks. */
export function checkStatus(model: Model, exchange: Exchange, ...statuses: number[]): void {
  if (hasUnknownOutcome(exchange) || statuses.includes(exchange.reply.status)) return;
  model.report({ expected: `one of the statuses ${statuses.join(', ')}`, exchange });
}
