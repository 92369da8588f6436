import * as v from 'valibot';
import {
  type Conversation,
  CreateConversation,
} from '../../../shared/contract/resources/conversation.ts';
import { getContact } from '../../response-invariants/permissions.ts';
import type { Exchange, Request } from '../exchange/exchange.ts';
import { createConversationModel } from '../model/conversation-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { checkConversation, hasNoSendInFlight } from './check-conversation.ts';
import { checkOutcome } from './check-status.ts';

export function checkConversationPage(
  model: Model,
  exchange: Exchange,
  page: readonly Conversation[],
): void {
  const query = exchange.sent.query ?? {};
  const found = page.flatMap((shown) => {
    const conversation = getOrAddConversation(model, exchange, shown);
    if (!conversation) return [];
    checkOutcome(model, exchange, { conversation });
    checkConversation(model, exchange, conversation, shown);
    if (!matchesFilters(query, shown)) {
      model.report({ expected: 'only matching conversations', exchange, conversation });
    }
    return [conversation];
  });
  if (new Set(found).size < found.length) {
    model.report({ expected: 'each conversation once', exchange });
  }
  const wrong = findOutOfOrder(exchange, found);
  if (wrong) {
    model.report({ expected: `${wrong.id} in list order`, exchange, conversation: wrong });
  }
}

export const isSortedById = ({ muted, archived, pinned }: Record<string, string>): boolean =>
  [muted, archived, pinned].includes('true');

export function matchesFilters(query: Record<string, string>, shown: Conversation): boolean {
  const { muted, archived, pinned, group_id, contact_id } = query;
  const excluded = getExcludedFlags(query);
  return (
    (muted !== 'true' || shown.is_muted) &&
    (archived !== 'true' || shown.archived_at !== null) &&
    (pinned !== 'true' || shown.is_pinned) &&
    !(excluded.includes('muted') && shown.is_muted) &&
    !(excluded.includes('archived') && shown.archived_at !== null) &&
    !(excluded.includes('pinned') && shown.is_pinned) &&
    (group_id === undefined || shown.group_id === group_id) &&
    (contact_id === undefined || isWithContact(query, shown))
  );
}

/** Returns the flags in `exclude`, or in `exclude[0]`, `exclude[1]` and so on. */
export const getExcludedFlags = (query: Record<string, string>): string[] =>
  Object.entries(query).flatMap(([name, word]) => (name.startsWith('exclude') ? [word] : []));

/**
 * Reports whether the contact and group match the query. A query without a group matches only
 * direct conversations.
 */
export const isWithContact = (
  { contact_id, group_id = null }: { contact_id?: string; group_id?: string | null },
  shown: Pick<Conversation, 'contact_id' | 'group_id'>,
): boolean => shown.contact_id === contact_id && shown.group_id === group_id;

/**
 * Returns the first conversation that breaks the descending order. In a list sorted by activity,
 * ignores conversations with sends in flight.
 */
export function findOutOfOrder(
  { startOrder, sent }: Pick<Exchange, 'startOrder' | 'sent'>,
  found: readonly ConversationModel[],
): ConversationModel | undefined {
  if (isSortedById(sent.query ?? {})) {
    return found.find(({ id }, n) => n > 0 && id >= (found[n - 1]?.id ?? ''));
  }
  const quiet = found.filter((one) => hasNoSendInFlight(one, { startOrder }));
  return quiet.find(({ activity, id }, n) => {
    const before = quiet[n - 1];
    if (!before) return false;
    const { latest } = before.activity;
    const isCertain = latest === before.activity.earliest && activity.earliest === activity.latest;
    return (
      activity.earliest > latest || (isCertain && activity.earliest === latest && id > before.id)
    );
  });
}

/**
 * Returns the model of a conversation. If the model is missing and a creation with an unknown
 * outcome matches the conversation, adds the model. If no creation matches, reports a violation.
 */
export function getOrAddConversation(
  model: Model,
  exchange: Exchange,
  shown: Conversation,
): ConversationModel | undefined {
  const known = model.conversations.get(shown.id);
  if (known) return known;
  const creations = [...model.creations].filter(([, one]) =>
    isPossibleCreation(one, exchange, shown),
  );
  const uncertain = creations.find(([startOrder]) => !model.inFlight.has(startOrder));
  if (creations.length === 0) {
    model.report({ expected: 'no conversation that was never created', exchange });
  }
  if (!uncertain) return undefined;
  const [startOrder, { caller, sent }] = uncertain;
  model.creations.delete(startOrder);
  const body = v.parse(CreateConversation, sent.body);
  const conversation = createConversationModel(shown, body, caller.id, exchange.ended);
  model.conversations.set(shown.id, conversation);
  return conversation;
}

function isPossibleCreation(
  { caller, sent }: Request,
  exchange: Exchange,
  shown: Conversation,
): boolean {
  const { contact_id = null, group_id = null } = v.parse(CreateConversation, sent.body);
  const other = getContact({ created_by: caller.id, contact_id, group_id }, exchange.caller.id);
  return group_id === shown.group_id && other === shown.contact_id;
}
