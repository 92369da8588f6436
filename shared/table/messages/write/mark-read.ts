import * as v from 'valibot';
import { clock } from '../../../clock.ts';
import { noteLostMark } from '../../../log/invocation.ts';
import { update } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { contentBytes, MessageItem } from '../log/message-item.ts';

/** The message is new to the reader: somebody else sent it, and nobody has read it. */
export const isUnreadBy = (readerId: string, message: MessageItem): boolean =>
  message.sent_by !== readerId && message.read_at === undefined;

/**
 * Marks a message as read now, if nobody was quicker, and gives it as it then is. Nobody is refused a message because
 * that cannot be noted: then it is given as it was, unread, and the next who is given it tries again.
 */
export async function markRead(message: MessageItem): Promise<MessageItem> {
  const now = clock.now();
  try {
    const written = await writeReadAt(message, now);
    return written.done ? v.parse(MessageItem, written.item) : { ...message, read_at: now };
  } catch {
    noteLostMark();
    return message;
  }
}

const writeReadAt = (message: MessageItem, now: number) =>
  update({
    Key: messageKey(message.conversation_id, message.sequence),
    UpdateExpression: 'SET read_at = if_not_exists(read_at, :now) ADD version :one',
    // A message that is deleted meanwhile stays deleted.
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ':now': now, ':one': 1 },
    ReturnValues: 'ALL_NEW',
  });

/** Of what a partition of the table takes in a second, all of it: sends to the conversation wait for no more. */
const maxWriteUnits = 1000;
/** What an item has beside its content, at most. */
const itemOverheadBytes = 1024;

/**
 * How many of the messages, from the first, may be given to the reader at once: marking one costs a write unit for each
 * of its kilobytes, and whoever wrote them chose how many these are. One at least.
 */
export function getMaxMarkable(readerId: string, messages: MessageItem[]): number {
  let units = 0;
  const over = messages.findIndex((message) => {
    if (isUnreadBy(readerId, message)) {
      units += Math.ceil((contentBytes(message) + itemOverheadBytes) / 1024);
    }
    return units > maxWriteUnits;
  });
  return over === -1 ? messages.length : Math.max(1, over);
}
