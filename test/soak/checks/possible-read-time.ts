import { toSeconds } from '../../../shared/clock.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { getSequence } from '../model/message-model.ts';
import type { MessageModel, ReadReport } from '../model/model-types.ts';
import { getPossibleValues } from '../model/register.ts';

/**
 * Reports whether `read_at` is possible. The service sets `read_at` when a recipient first reads
 * the message, and never changes it.
 */
export function isPossibleReadTime(
  exchange: Exchange,
  message: MessageModel,
  shown: number | null,
  marksAsRead: boolean,
): boolean {
  // If the message is deleted concurrently, the service returns `read_at` but does not store it.
  if (getPossibleValues(message.deleted, exchange).has(true)) return true;
  const isReader = marksAsRead && exchange.caller.id !== message.sent_by;
  const { read } = message;
  if (shown === null) {
    return (
      !isReader && !isMarked(exchange, message) && (!read || read.knownSince > exchange.startOrder)
    );
  }
  if (read) {
    read.knownSince = Math.min(read.knownSince, exchange.ended);
    return shown === read.at;
  }
  const { readers } = message.conversation;
  const hasReader =
    isReader ||
    [...readers.values()].some((caller) => caller !== message.sent_by) ||
    getReadReports(message).length > 0;
  message.read = { at: shown, knownSince: exchange.ended };
  return hasReader && shown >= message.created_at && shown <= toSeconds(exchange.endedAt);
}

/** Returns the recipients' updates of `last_read_message_id` to this or a later message. */
const getReadReports = (message: MessageModel): ReadReport[] =>
  message.conversation.readReports.filter(
    ({ by, sequence }) => by !== message.sent_by && sequence >= getSequence(message),
  );

const isMarked = ({ startOrder }: Exchange, message: MessageModel): boolean =>
  getReadReports(message).some(
    (report) =>
      report.ended < startOrder &&
      message.knownSince < report.startOrder &&
      getSequence(message) >= report.markedFrom,
  );
