import { parseCursor } from '../../../shared/paging.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { addRange } from '../model/id-ranges.ts';
import { messagesBetween } from '../model/message-model.ts';
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

/**
 * Checks that a page is complete, in order and without duplicates, and that `has_more` is correct.
 * Records the range of ids in which no new message may appear.
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
   * New messages must have an id above this id, because a reply has contained the message with this
   * id. The id of a made-up cursor does not count.
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

/** Number of characters of the timestamp at the end of a message id. */
const timeDigits = 10;

/**
 * Returns the cursor's id in a form that can be compared with message ids. In a made-up id, only
 * the sequence number counts, because the API ignores the wrong timestamp.
 */
const toListPosition = ({ messages }: Model, id: string, backwards: boolean): string =>
  messages.has(id) ? id : `${id.slice(0, -timeDigits)}${backwards ? end : ''}`;

const isPossiblyListed =
  (exchange: Exchange) =>
  ({ deleted: gone }: MessageModel): boolean =>
    getPossibleValues(gone, exchange).has(false);

/** Reports whether a send may have created a message that no reply has contained yet. */
const isPossiblyIncomplete = ({ ended }: Exchange, { sends }: ConversationModel): boolean =>
  [...sends.values()].some((send) => !send.message && !send.refused && send.startOrder < ended);
