import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { getContact } from '../../response-invariants/permissions.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { getSettings } from '../model/conversation-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { getPossibleWrites, type Register } from '../model/register.ts';
import { mustParticipate } from '../model/user-groups.ts';
import { hasNoSendInFlight } from './check-conversation.ts';
import {
  findOutOfOrder,
  getExcludedFlags,
  isSortedById,
  isWithContact,
} from './check-conversation-page.ts';

/**
 * Checks all pages as one exchange. Unchanged conversations must appear exactly once and in order.
 */
export function checkWalk(model: Model, walk: Exchange, shown: readonly Conversation[]): void {
  const query = walk.sent.query ?? {};
  const ids = shown.map(({ id }) => id);
  const listedIds = new Set(ids);
  if (listedIds.size < ids.length) {
    model.report({ expected: 'each conversation once on all pages', exchange: walk });
  }
  const found = ids.flatMap((id) => model.conversations.get(id) ?? []);
  const wrong = findOutOfOrder(walk, found);
  if (wrong) model.report({ expected: `${wrong.id} in list order`, exchange: walk });
  for (const conversation of model.conversations.values()) {
    if (!listedIds.has(conversation.id) && mustBeListed(model, conversation, walk, query)) {
      model.report({
        expected: `the conversation ${conversation.id} as well`,
        exchange: walk,
        conversation,
      });
    }
  }
}

function mustBeListed(
  model: Model,
  conversation: ConversationModel,
  walk: Exchange,
  query: Record<string, string>,
): boolean {
  const { knownSince: known, deleted, group_id } = conversation;
  const { is_muted, is_pinned, archived_at } = getSettings(conversation, walk.caller.id);
  const isUnchanged = isSortedById(query)
    ? isSettled(is_muted, walk) && isSettled(is_pinned, walk) && isSettled(archived_at, walk)
    : hasNoSendInFlight(conversation, walk);
  const excluded = getExcludedFlags(query);
  const contact_id = getContact(conversation, walk.caller.id);
  return (
    isUnchanged &&
    known < walk.startOrder &&
    mustParticipate(model, conversation, walk.caller, walk) &&
    isSettled(deleted, walk) &&
    settledValue(deleted, walk) === false &&
    (query.group_id === undefined || group_id === query.group_id) &&
    (query.muted !== 'true' || settledValue(is_muted, walk) === true) &&
    (query.pinned !== 'true' || settledValue(is_pinned, walk) === true) &&
    (query.archived !== 'true' || settledValue(archived_at, walk) !== null) &&
    (!excluded.includes('muted') || isSettledAt(is_muted, walk, false)) &&
    (!excluded.includes('pinned') || isSettledAt(is_pinned, walk, false)) &&
    (!excluded.includes('archived') || isSettledAt(archived_at, walk, null)) &&
    (query.contact_id === undefined || isWithContact(query, { contact_id, group_id }))
  );
}

const isSettled = <Value>(register: Register<Value>, walk: Exchange): boolean =>
  getPossibleWrites(register, walk).length === 1;

const settledValue = <Value>(register: Register<Value>, walk: Exchange): Value | undefined =>
  getPossibleWrites(register, walk)[0]?.value;

const isSettledAt = <Value>(register: Register<Value>, walk: Exchange, value: Value): boolean =>
  isSettled(register, walk) && settledValue(register, walk) === value;
