import { parseMessageId } from '../../../shared/ids.ts';
import type { ConversationModel, MessageModel, SendModel } from './model-types.ts';
import { createRegister } from './register.ts';

export function createMessageModel(
  conversation: ConversationModel,
  send: SendModel,
  shown: { id: string; created_at: number },
  known: number,
): MessageModel {
  return {
    id: shown.id,
    conversation,
    sentAt: parseMessageId(shown.id)?.sentAt ?? 0,
    sent_by: send.by,
    created_at: shown.created_at,
    attachments: send.attachments,
    knownSince: known,
    deleted: createRegister(false),
    text: createRegister(send.text),
    updates: new Map([[send.text, { begunAt: send.begunAt, shown: null }]]),
    reactions: new Map(),
  };
}

/** Returns the message's sequence number. */
export const getSequence = ({ id }: { id: string }): number => parseMessageId(id)?.sequence ?? 0;

/** Inserts a message in id order. Searches from the end, because most new messages belong there. */
export function addToLog(log: MessageModel[], message: MessageModel): void {
  let place = log.length;
  while (place > 0 && (log[place - 1]?.id ?? '') > message.id) place -= 1;
  log.splice(place, 0, message);
}

/** Returns the messages between two ids, both exclusive, in order. */
export function messagesBetween(log: MessageModel[], above: string, below: string): MessageModel[] {
  return log.slice(firstAfter(log, above, false), firstAfter(log, below, true));
}

/**
 * Returns the index of the first message whose id is greater than `id`, or equal to it if `orEqual`
 * is true. If there is none, returns the log's length.
 */
function firstAfter(log: MessageModel[], id: string, orEqual: boolean): number {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const here = log[middle]?.id ?? '';
    if (here > id || (orEqual && here === id)) high = middle;
    else low = middle + 1;
  }
  return low;
}
