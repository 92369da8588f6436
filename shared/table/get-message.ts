import type { Caller } from '../caller.ts';
import { parseMessageId } from '../ids.ts';
import { getItems } from './access.ts';
import { visibleTo } from './conversations.ts';
import { conversationKey, messageKey } from './keys.ts';
import { isMessage, type MessageItem, toLogEntry } from './message-items.ts';

/** The message of that id; undefined when there is none, or none that the caller may see. */
export async function getMessage(id: string, caller: Caller): Promise<MessageItem | undefined> {
  const position = parseMessageId(id);
  if (!position) return undefined;
  const { conversationId, sequence } = position;
  const key = conversationKey(conversationId);
  const items = await getItems([key, messageKey(conversationId, sequence)]);
  const conversation = items.find(({ sk }) => sk === key.sk);
  const message = items.find(({ sk }) => sk !== key.sk);
  if (!message || !visibleTo(caller, conversation)) return undefined;
  const entry = toLogEntry(message);
  // An id with another time never was one, though its place is taken.
  return isMessage(entry) && entry.id === id ? entry : undefined;
}
