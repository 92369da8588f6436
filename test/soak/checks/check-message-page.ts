import { parseCursor } from '../../../shared/paging.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { addRange } from '../model/id-ranges.ts';
import { getMessagesBetween } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { getPossibleValues, observeValue } from '../model/register.ts';

/** A string that sorts after all ids. */
const end = '~';

/** A page of messages, newest first. */
export interface Page {
  ids: string[];
  hasMore: boolean;
}

/** Checks the page, and records the range of ids in which no new message may appear. */
export function checkMessagePage(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  { ids, hasMore }: Page,
): void {
  const fail = (expected: string) => model.report({ expected, exchange, conversation });
  const { starting_after, ending_before } = exchange.sent.query ?? {};
  const backwards = ending_before !== undefined;
  const encodedCursor = ending_before ?? starting_after;
  const cursor =
    encodedCursor === undefined
      ? end
      : toListPosition(model, parseCursor(encodedCursor).id, backwards);
  const [top = '', last = ''] = [ids[0], ids.at(-1)];

  if (ids.some((id, n) => n > 0 && id >= (ids[n - 1] ?? ''))) {
    fail('each message once, newest first');
  }
  if (ids.some((id) => (backwards ? id <= cursor : id >= cursor))) {
    fail(`only messages ${backwards ? 'above' : 'below'} the cursor`);
  }
  const { log } = conversation;
  const above = backwards ? cursor : hasMore ? last : '';
  const below = backwards && hasMore ? top : backwards ? end : cursor;
  /**
   * Id of a message that the service has returned. New messages must have higher ids. Ignores a
   * made-up cursor.
   */
  const completeUpTo = !backwards && model.messages.has(cursor) ? cursor : top;
  const shown = new Set(ids);
  for (const message of getMessagesBetween(log, above, below)) {
    if (shown.has(message.id)) continue;
    const mustExist = message.knownSince < exchange.startOrder || message.id < completeUpTo;
    if (mustExist && !observeValue(message.deleted, exchange, true)) {
      fail(`message ${message.id} ('${[...getPossibleValues(message.text, exchange)]}') as well`);
    }
  }
  addRange(conversation.completeRanges, { above, upTo: completeUpTo });

  const following = backwards
    ? getMessagesBetween(log, top, end)
    : getMessagesBetween(log, '', last);
  if (
    hasMore &&
    !following.some(isPossiblyListed(exchange)) &&
    !isPossiblyIncomplete(exchange, conversation)
  ) {
    fail('has_more false, as nothing follows');
  }
}

/** Number of characters of the timestamp at the end of a message id. */
const timeDigits = 10;

/**
 * Returns an id to compare with message ids. Omits a made-up id's timestamp, because the API
 * ignores it.
 */
const toListPosition = ({ messages }: Model, id: string, backwards: boolean): string =>
  messages.has(id) ? id : `${id.slice(0, -timeDigits)}${backwards ? end : ''}`;

const isPossiblyListed =
  (exchange: Exchange) =>
  ({ deleted }: MessageModel): boolean =>
    getPossibleValues(deleted, exchange).has(false);

/** Reports whether the conversation may have a message that no reply has contained yet. */
const isPossiblyIncomplete = ({ ended }: Exchange, { sends }: ConversationModel): boolean =>
  [...sends.values()].some((send) => !send.message && !send.refused && send.startOrder < ended);
