import { toSeconds } from '../../../shared/clock.ts';
import type { Conversation } from '../../../shared/contract/conversation.ts';
import { maxUnread } from '../../../shared/contract/expand.ts';
import { contactFor } from '../../oracle/participants.ts';
import type { Exchange, Span, Who } from '../exchange.ts';
import { settingsOf } from '../model/conversation-model.ts';
import { placeOf } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import { candidates, observe, possibleValues } from '../model/register.ts';
import type { ConversationModel, MessageModel } from '../model/things.ts';

/** Compares a conversation with what may be shown of it at the time. */
export function judgeConversation(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  shown: Conversation,
): void {
  const { who } = exchange;
  const { id, group_id, created_at } = conversation;
  const settings = settingsOf(conversation, who.id);
  const other = contactFor(conversation, who.id);
  const rules: [string, boolean][] = [
    [`the id ${id}`, shown.id === id],
    [`group_id ${group_id}`, shown.group_id === group_id],
    [`created_at ${created_at}`, shown.created_at === created_at],
    [`contact_id ${other}`, shown.contact_id === other],
    ...(['is_pinned', 'is_muted'] as const).map((name): [string, boolean] => [
      `${name} ${!shown[name]}, as it was last set`,
      observe(settings[name], exchange, shown[name]),
    ]),
    [
      `archived_at one of ${[...possibleValues(settings.archived_at, exchange)]}`,
      observe(settings.archived_at, exchange, shown.archived_at),
    ],
    [
      `pinned_message_id one of ${[...possibleValues(conversation.pin, exchange)]}, or null if that is deleted`,
      isPossiblePin(model, exchange, conversation, shown.pinned_message_id),
    ],
    ['last_active_at as the last message says', isPossibleActivity(exchange, conversation, shown)],
    ['last_opened_at as the listings say', isPossibleOpening(exchange, conversation, shown)],
    [
      'unread_count as many as others have sent above what listings gave',
      isPossibleCount(exchange, conversation, shown),
    ],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
}

/** Whoever deletes a pinned message unpins it in the same instant. */
function isPossiblePin(
  { messages }: Model,
  span: Span,
  { pin }: ConversationModel,
  shown: string | null,
): boolean {
  const mayBe = (gone: boolean) => (id: string) => {
    const message = messages.get(id);
    return message !== undefined && possibleValues(message.gone, span).has(gone);
  };
  if (shown !== null) return mayBe(false)(shown) && observe(pin, span, shown);
  const pins = candidates(pin, span);
  const unpinnedByDeletion = pins.some(({ value }) => value !== null && mayBe(true)(value));
  return unpinnedByDeletion || observe(pin, span, null);
}

/** Nothing was sent to it meanwhile. */
export const isQuiet = ({ sending }: ConversationModel, { begun }: Pick<Span, 'begun'>): boolean =>
  sending.underWay === 0 && sending.ended < begun;

function isPossibleActivity(
  exchange: Exchange,
  conversation: ConversationModel,
  { last_active_at, created_at }: Conversation,
): boolean {
  const { activity, sending } = conversation;
  if (last_active_at !== null && last_active_at < created_at) return false;
  if (!isQuiet(conversation, exchange)) {
    return last_active_at === null || last_active_at <= toSeconds(exchange.endedAt);
  }
  if (sending.begun < 0) return last_active_at === null;
  const wasSentTo = conversation.log.length > 0;
  if (last_active_at === null) return !wasSentTo;
  return last_active_at >= toSeconds(activity.least) && last_active_at <= toSeconds(activity.most);
}

/** While nothing is new, an opening counts at most once a minute. */
const openingCountsForSeconds = 61;

function isPossibleOpening(
  exchange: Exchange & { who: Who },
  conversation: ConversationModel,
  { last_opened_at }: Conversation,
): boolean {
  const { firstBegun, latest } = settingsOf(conversation, exchange.who.id).opened;
  const last = latest && latest.ended < exchange.begun ? latest : undefined;
  if (last_opened_at === null) return last === undefined;
  return (
    firstBegun < exchange.ended &&
    last_opened_at <= toSeconds(exchange.endedAt) &&
    (!last || last_opened_at >= toSeconds(last.begunAt) - openingCountsForSeconds)
  );
}

/**
 * What others have sent above what the reader's listings have given, and nobody has deleted; where it is not asked for, no
 * count is wrong. While listings of theirs or sends are under way, it may be anything between.
 */
function isPossibleCount(
  exchange: Exchange & { who: Who },
  conversation: ConversationModel,
  { unread_count }: Conversation,
): boolean {
  if (unread_count === undefined) return true;
  const { who, begun } = exchange;
  const { given } = settingsOf(conversation, who.id);
  const highest = given.at(-1)?.place ?? 0;
  const certain = given.findLast(({ ended }) => ended < begun)?.place ?? 0;
  const others = conversation.log.filter(({ sent_by }) => sent_by !== who.id);
  const count = (above: number, isCounted: (one: MessageModel) => boolean) =>
    Math.min(others.filter((one) => placeOf(one) > above && isCounted(one)).length, maxUnread);
  const isReading = [...conversation.readers.values()].includes(who.id);
  const least = isReading
    ? 0
    : count(
        highest,
        ({ known, gone }) => known < begun && !possibleValues(gone, exchange).has(true),
      );
  const most = isQuiet(conversation, exchange)
    ? count(certain, ({ gone }) => possibleValues(gone, exchange).has(false))
    : maxUnread;
  return unread_count >= least && unread_count <= most;
}
