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
import { isBlockRefusal, isSurelyBlocked, mayBeBlocked } from './known-blocks.ts';

/** The requested resource, and whether a caller who may see it may change it. */
export interface Target {
  /** Undefined for an id that was never assigned. */
  conversation: ConversationModel | undefined;
  message?: MessageModel | undefined;
  allowed?: boolean;
}

/** Checks 404, 403 and success against the caller's permissions and earlier deletions. */
export function checkOutcome(model: Model, exchange: Exchange, target: Target): void {
  if (hasUnknownOutcome(exchange)) return;
  const { reply, who } = exchange;
  const { conversation, message, allowed = true } = target;
  const fail = (expected: string) => model.report({ expected, exchange, conversation });

  if (!conversation || !mayParticipate(model, conversation, who, exchange)) {
    const why = conversation ? `${who.id} does not take part` : 'there is nothing of that id';
    if (reply.status !== 404) fail(`404, as ${why}`);
    return;
  }
  const things = [conversation.deleted, ...(message ? [message.deleted] : [])];
  if (reply.status === 404) {
    if (!mustParticipate(model, conversation, who, exchange)) return;
    const deleted = things.filter((gone) => getPossibleValues(gone, exchange).has(true));
    if (deleted.length === 0) fail('another status than 404, because no deletion has started');
    const [only] = deleted;
    if (only && deleted.length === 1) observeValue(only, exchange, true);
    return;
  }
  if (!things.every((gone) => observeValue(gone, exchange, false))) {
    fail('404, as it was deleted before');
  }
  if (isBlockRefusal(exchange)) {
    if (!mayBeBlocked(model, conversation, exchange))
      fail('another status than 403, as neither of the two blocks the other');
    return;
  }
  if (mustBeRefused(exchange) && isSurelyBlocked(model, conversation, exchange))
    fail('403, as one of the two blocks the other');
  if ((reply.status === 403) === allowed) {
    fail(allowed ? 'another status than 403, as the caller may do this' : '403');
  }
}

/** Operations that always fail between contacts of whom one blocks the other. */
const writes = new Set<string>(
  [sendMessage, updateMessage, deleteMessage, deleteConversation].map(({ id }) => id),
);

const mustBeRefused = (exchange: Exchange): boolean =>
  writes.has(exchange.row.id) && isSuccess(exchange);

/** Allowed statuses besides 5xx. */
export function checkStatus(model: Model, exchange: Exchange, ...statuses: number[]): void {
  if (hasUnknownOutcome(exchange) || statuses.includes(exchange.reply.status)) return;
  model.report({ expected: `one of the statuses ${statuses.join(', ')}`, exchange });
}
