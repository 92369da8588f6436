import { sendMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { appendMessage } from '../../shared/table/append-message.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { messageFrom } from '../../shared/table/message-items.ts';

export const handler = serve(sendMessage, async ({ caller, body }) => {
  const { conversation_id, message, attachments } = body;
  const [contact, item] = await Promise.all([
    touchContact(caller),
    appendMessage(conversation_id, caller, { message, attachments: attachments ?? [] }),
  ]);
  return messageFrom(contact, item);
});
