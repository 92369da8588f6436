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
    updates: new Map([[send.text, { startedAt: send.startedAt, shown: null }]]),
    reactions: new Map(),
  };
}

export const getSequence = ({ id }: { id: string }): number => parseMessageId(id)?.sequence ?? 0;

/** Inserts a message in id order. Searches from the end, where most new messages belong. */
export function addToLog(log: MessageModel[], message: MessageModel): void {
  let index = log.length;
  while (index > 0 && (log[index - 1]?.id ?? '') > message.id) index -= 1;
  log.splice(index, 0, message);
}

/** Returns the messages between two ids, both exclusive. */
export function getMessagesBetween(
  log: MessageModel[],
  above: string,
  below: string,
): MessageModel[] {
  return log.slice(findFirstAfter(log, above, false), findFirstAfter(log, below, true));
}

/**
 * Returns the index of the first message above `id`; the log's length if there is none. If
 * `orEqual` is true, the message with this id also qualifies.
 */
function findFirstAfter(log: MessageModel[], id: string, orEqual: boolean): number {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const middleId = log[middle]?.id ?? '';
    if (middleId > id || (orEqual && middleId === id)) high = middle;
    else low = middle + 1;
  }
  return low;
}
