import { parseCursor } from '../../../shared/paging.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { addRange } from '../model/id-ranges.ts';
import { messagesBetween } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { getPossibleValues, observeValue } from '../model/register.ts';

/** Sorts after all ids. */
const end = '~';

/** A page of messages, newest first. */
export interface Page {
  ids: string[];
  hasMore: boolean;
}

/**
 * Checks that a page is complete, ordered and without duplicates, and that its `has_more` is right.
 * Records the range of ids in which no further message may appear.
 */
export function checkMessagePage(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  { ids, hasMore }: Page,
): void {
  const fail = (expected: string) => model.report({ expected, exchange, conversation });
  const { starting_after, ending_before } = exchange.sent.query ?? {};
  const backwards = ending_before !== undefined;
  const given = ending_before ?? starting_after;
  const cursor =
    given === undefined ? end : toListPosition(model, parseCursor(given).id, backwards);
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
   * Id up to which no message may appear anymore, because a later message was returned. Made-up
   * cursors do not count.
   */
  const decidedUpTo = !backwards && model.messages.has(cursor) ? cursor : top;
  const shown = new Set(ids);
  for (const message of messagesBetween(log, above, below)) {
    if (shown.has(message.id)) continue;
    const wasThere = message.knownSince < exchange.startOrder || message.id < decidedUpTo;
    if (wasThere && !observeValue(message.deleted, exchange, true)) {
      fail(`message ${message.id} ('${[...getPossibleValues(message.text, exchange)]}') as well`);
    }
  }
  addRange(conversation.completeRanges, { above, upTo: decidedUpTo });

  const beyond = backwards ? messagesBetween(log, top, end) : messagesBetween(log, '', last);
  if (
    hasMore &&
    !beyond.some(isPossiblyListed(exchange)) &&
    !isPossiblyIncomplete(exchange, conversation)
  ) {
    fail('has_more false, as nothing follows');
  }
}

/** Number of digits of the time in a message id. */
const timeDigits = 10;

/**
 * Returns the id to compare with. A made-up id has a message's sequence number but not its time,
 * which the API ignores.
 */
const toListPosition = ({ messages }: Model, id: string, backwards: boolean): string =>
  messages.has(id) ? id : `${id.slice(0, -timeDigits)}${backwards ? end : ''}`;

const isPossiblyListed =
  (exchange: Exchange) =>
  ({ deleted: gone }: MessageModel): boolean =>
    getPossibleValues(gone, exchange).has(false);

/** Reports whether a send whose message is unknown may have created one. */
const isPossiblyIncomplete = ({ ended }: Exchange, { sends }: ConversationModel): boolean =>
  [...sends.values()].some((send) => !send.message && !send.refused && send.startOrder < ended);
