import { toSeconds } from '../../../shared/clock.ts';
import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { maxUnread } from '../../../shared/contract/resources/expand.ts';
import { getContact } from '../../response-invariants/permissions.ts';
import type { Caller, Exchange, Span } from '../exchange/exchange.ts';
import { getSettings } from '../model/conversation-model.ts';
import { getSequence } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { getPossibleValues, getPossibleWrites, observeValue } from '../model/register.ts';

export function checkConversation(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  shown: Conversation,
): void {
  const { caller } = exchange;
  const { id, group_id, created_at } = conversation;
  const settings = getSettings(conversation, caller.id);
  const other = getContact(conversation, caller.id);
  const rules: [string, boolean][] = [
    [`the id ${id}`, shown.id === id],
    [`group_id ${group_id}`, shown.group_id === group_id],
    [`created_at ${created_at}`, shown.created_at === created_at],
    [`contact_id ${other}`, shown.contact_id === other],
    ...(['is_pinned', 'is_muted'] as const).map((name): [string, boolean] => [
      `${name} ${!shown[name]}, as it was last set`,
      observeValue(settings[name], exchange, shown[name]),
    ]),
    [
      `archived_at one of ${[...getPossibleValues(settings.archived_at, exchange)]}`,
      observeValue(settings.archived_at, exchange, shown.archived_at),
    ],
    [
      `pinned_message_id one of ${[...getPossibleValues(conversation.pin, exchange)]}, or null if the pinned message is deleted`,
      isPossiblePin(model, exchange, conversation, shown.pinned_message_id),
    ],
    ['last_active_at of the last message', isPossibleActivity(exchange, conversation, shown)],
    ['last_opened_at of the latest opening', isPossibleOpening(exchange, conversation, shown)],
    [
      'unread_count of messages from other participants after the read position',
      isPossibleCount(exchange, conversation, shown),
    ],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
}

/**
 * Reports whether `shown` is a possible value of the conversation's pin. Deleting a pinned message
 * unpins it atomically.
 */
function isPossiblePin(
  { messages }: Model,
  span: Span,
  { pin }: ConversationModel,
  shown: string | null,
): boolean {
  const isPossibleState = (isDeleted: boolean) => (id: string) => {
    const message = messages.get(id);
    return message !== undefined && getPossibleValues(message.deleted, span).has(isDeleted);
  };
  if (shown !== null) return isPossibleState(false)(shown) && observeValue(pin, span, shown);
  const pins = getPossibleWrites(pin, span);
  const unpinnedByDeletion = pins.some(
    ({ value }) => value !== null && isPossibleState(true)(value),
  );
  return unpinnedByDeletion || observeValue(pin, span, null);
}

export const hasNoSendInFlight = (
  { sending }: ConversationModel,
  { startOrder }: Pick<Span, 'startOrder'>,
): boolean => sending.inFlight === 0 && sending.ended < startOrder;

function isPossibleActivity(
  exchange: Exchange,
  conversation: ConversationModel,
  { last_active_at, created_at }: Conversation,
): boolean {
  const { activity, sending } = conversation;
  if (last_active_at !== null && last_active_at < created_at) return false;
  if (!hasNoSendInFlight(conversation, exchange)) {
    return last_active_at === null || last_active_at <= toSeconds(exchange.endedAt);
  }
  if (sending.startOrder < 0) return last_active_at === null;
  const wasSentTo = conversation.log.length > 0;
  if (last_active_at === null) return !wasSentTo;
  return (
    last_active_at >= toSeconds(activity.earliest) && last_active_at <= toSeconds(activity.latest)
  );
}

/**
 * Maximum number of seconds by which `last_opened_at` may precede the latest opening. If there are
 * no new messages, the service records at most one opening a minute. The additional second allows
 * for rounding.
 */
const maxOpeningSeconds = 61;

function isPossibleOpening(
  exchange: Exchange & { caller: Caller },
  conversation: ConversationModel,
  { last_opened_at }: Conversation,
): boolean {
  const { firstStart, latest } = getSettings(conversation, exchange.caller.id).opened;
  const last = latest && latest.ended < exchange.startOrder ? latest : undefined;
  if (last_opened_at === null) return last === undefined;
  return (
    firstStart < exchange.ended &&
    last_opened_at <= toSeconds(exchange.endedAt) &&
    (!last || last_opened_at >= toSeconds(last.startedAt) - maxOpeningSeconds)
  );
}

/**
 * Reports whether the unread count is possible. The unread count is the number of undeleted
 * messages from other participants after the read position. While a read or send is in progress,
 * several counts are possible.
 */
function isPossibleCount(
  exchange: Exchange & { caller: Caller },
  conversation: ConversationModel,
  { unread_count }: Conversation,
): boolean {
  if (unread_count === undefined) return true;
  const { caller, startOrder } = exchange;
  const { listedUpTo } = getSettings(conversation, caller.id);
  const highest = listedUpTo.at(-1)?.sequence ?? 0;
  const certain = listedUpTo.findLast(({ ended }) => ended < startOrder)?.sequence ?? 0;
  const others = conversation.log.filter(({ sent_by }) => sent_by !== caller.id);
  const count = (above: number, isCounted: (one: MessageModel) => boolean) =>
    Math.min(others.filter((one) => getSequence(one) > above && isCounted(one)).length, maxUnread);
  const isReading = [...conversation.readers.values()].includes(caller.id);
  const min = isReading
    ? 0
    : count(
        highest,
        ({ knownSince: known, deleted }) =>
          known < startOrder && !getPossibleValues(deleted, exchange).has(true),
      );
  const max = hasNoSendInFlight(conversation, exchange)
    ? count(certain, ({ deleted }) => getPossibleValues(deleted, exchange).has(false))
    : maxUnread;
  return unread_count >= min && unread_count <= max;
}
