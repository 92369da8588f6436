import { type MessagePosition, parseMessageId } from '../../../shared/ids.ts';
import { parseCursor } from '../../../shared/paging.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import { getPossibleWrites, observeValue } from '../model/register.ts';
import { mustParticipate } from '../model/user-groups.ts';
import type { Page } from './check-message-page.ts';

/** Orders positions newest first. */
const compare = (a: MessagePosition, b: MessagePosition): number =>
  b.sentAt - a.sentAt ||
  Number(b.conversationId > a.conversationId) - Number(b.conversationId < a.conversationId) ||
  b.sequence - a.sequence;

export function checkListAcross(model: Model, exchange: Exchange, { ids, hasMore }: Page): void {
  const { starting_after, ending_before } = exchange.sent.query ?? {};
  const backwards = ending_before !== undefined;
  const encodedCursor = ending_before ?? starting_after;
  const cursor =
    encodedCursor === undefined ? undefined : parseMessageId(parseCursor(encodedCursor).id);
  const positions = ids.flatMap((id) => parseMessageId(id) ?? []);
  const [top, last] = [positions[0], positions.at(-1)];
  const isAfter = (a: MessagePosition, b: MessagePosition | undefined) => !b || compare(a, b) > 0;
  const isBefore = (a: MessagePosition, b: MessagePosition | undefined) => !b || compare(a, b) < 0;

  if (positions.some((one, n) => n > 0 && !isAfter(one, positions[n - 1]))) {
    model.report({ expected: 'each message once, newest first', exchange });
  }
  if (!positions.every((one) => (backwards ? isBefore : isAfter)(one, cursor))) {
    model.report({ expected: 'only messages beyond the cursor', exchange });
  }
  const from = backwards && hasMore ? top : backwards ? undefined : cursor;
  const to = backwards ? cursor : hasMore ? last : undefined;
  const shown = new Set(ids);
  for (const conversation of model.conversations.values()) {
    if (!mustParticipate(model, conversation, exchange.caller, exchange)) continue;
    // Searches from the newest message, because few messages are newer than the page.
    for (const message of conversation.log.toReversed()) {
      const position = parseMessageId(message.id);
      if (!position || !isBefore(position, to)) break;
      if (!isAfter(position, from) || shown.has(message.id)) continue;
      const deletions = [conversation.deleted, message.deleted].filter((one) =>
        getPossibleWrites(one, exchange).some(({ value }) => value),
      );
      if (deletions.length === 0 && message.knownSince < exchange.startOrder) {
        model.report({ expected: `message ${message.id} as well`, exchange, conversation });
      }
      const [only] = deletions;
      if (only && deletions.length === 1 && message.knownSince < exchange.startOrder) {
        observeValue(only, exchange, true);
      }
    }
  }
}
