import { toSeconds } from '../../../shared/clock.ts';
import type { Exchange } from '../exchange.ts';
import { placeOf } from '../model/message-model.ts';
import { possibleValues } from '../model/register.ts';
import type { MessageModel, SaidRead } from '../model/things.ts';

/** `read_at` is set when somebody other than the sender is first given the message, and never changes. */
export function isPossibleReading(
  exchange: Exchange,
  message: MessageModel,
  shown: number | null,
  marks: boolean,
): boolean {
  // Of a message that is being deleted, the mark is exchangeText but not kept.
  if (possibleValues(message.gone, exchange).has(true)) return true;
  const isReader = marks && exchange.who.id !== message.sent_by;
  const { read } = message;
  if (shown === null) {
    return !isReader && !isMarked(exchange, message) && (!read || read.known > exchange.begun);
  }
  if (read) {
    read.known = Math.min(read.known, exchange.ended);
    return shown === read.at;
  }
  const { readers } = message.conversation;
  const hasReader =
    isReader ||
    [...readers.values()].some((who) => who !== message.sent_by) ||
    saidReadOf(message).length > 0;
  message.read = { at: shown, known: exchange.ended };
  return hasReader && shown >= message.created_at && shown <= toSeconds(exchange.endedAt);
}

/** By which others have said that they have read it, or what is above it. */
const saidReadOf = (message: MessageModel): SaidRead[] =>
  message.conversation.saidRead.filter(
    ({ by, place }) => by !== message.sent_by && place >= placeOf(message),
  );

const isMarked = ({ begun }: Exchange, message: MessageModel): boolean =>
  saidReadOf(message).some(
    (said) =>
      said.ended < begun && message.known < said.begun && placeOf(message) >= said.markedFrom,
  );
