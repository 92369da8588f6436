import { newConversationId, toMessageId } from '../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import { newMessage } from '../../../shared/table/messages/log/message-item.ts';
import { putAll } from './seed-conversations.ts';

/** A non-member's actions in one conversation, with times in milliseconds. */
export interface NonMemberConversation {
  opened: number;
  sent?: number[];
  deleted?: boolean;
}

/** Stores conversations that non-members created with a contact, directly in the table. */
export async function seedNonMemberConversations(
  contact_id: string,
  count: number,
  toConversation: (n: number) => NonMemberConversation,
): Promise<void> {
  await putAll(
    Array.from({ length: count }, (_, n) => itemsOf(contact_id, n, toConversation(n))).flat(),
  );
}

function itemsOf(
  contact_id: string,
  n: number,
  { opened, sent = [], deleted }: NonMemberConversation,
): object[] {
  const id = newConversationId(opened);
  const by = `stranger-${n % 100}`;
  const conversation = toStoredConversation({
    ...newConversation(id, by, { contact_id }),
    message_count: sent.length,
    last_message_at: sent.at(-1),
  });
  const messages = sent.map((sentAt, index) => {
    const position = { conversationId: id, sequence: index + 1, sentAt };
    const previous_at = sent[index - 1] ?? 0;
    const key = messageKey(id, position.sequence);
    return deleted
      ? { ...key, sequence: position.sequence, previous_at, deleted_at: sentAt + 1 }
      : {
          ...key,
          ...newMessage(
            position,
            by,
            { message: toMessageId(position), attachments: [] },
            previous_at,
          ),
        };
  });
  return [conversation, ...messages];
}
