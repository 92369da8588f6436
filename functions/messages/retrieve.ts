import { retrieveMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { getMessage } from '../../shared/table/messages/get.ts';
import { messageFrom } from '../../shared/table/messages/items.ts';
import { isNewTo, markRead } from '../../shared/table/messages/mark-read.ts';

export const handler = serve(retrieveMessage, async ({ caller, path, query }) => {
  const { message } = await getMessage(path.message_id, caller);
  const [contact, shown] = await Promise.all([
    getContact(message.sent_by),
    !query.peek && isNewTo(caller.id, message) ? markRead(message) : message,
  ]);
  return messageFrom(contact, shown);
});
