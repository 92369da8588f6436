import * as v from 'valibot';
import { clock } from '../clock.ts';
import { update } from './access.ts';
import { messageKey } from './keys.ts';
import { MessageItem } from './message-items.ts';

/** The message is new to the reader: somebody else sent it, and nobody has read it. */
export const isNewTo = (readerId: string, message: MessageItem): boolean =>
  message.sent_by !== readerId && message.read_at === undefined;

/** Marks a message as read now, if nobody was quicker, and gives it as it then is. */
export async function markRead(message: MessageItem): Promise<MessageItem> {
  const now = clock.now();
  const written = await update({
    Key: messageKey(message.conversation_id, message.sequence),
    UpdateExpression: 'SET read_at = if_not_exists(read_at, :now) ADD version :one',
    // A message that is deleted meanwhile stays deleted.
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ':now': now, ':one': 1 },
    ReturnValues: 'ALL_NEW',
  });
  return written.done ? v.parse(MessageItem, written.item) : { ...message, read_at: now };
}
