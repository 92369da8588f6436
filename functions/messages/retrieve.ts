import { retrieveMessage } from '../../shared/contract/operations.ts';
import { notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { getMessage } from '../../shared/table/get-message.ts';
import { isNewTo, markRead } from '../../shared/table/mark-read.ts';
import { messageFrom } from '../../shared/table/message-items.ts';

export const handler = serve(retrieveMessage, async ({ caller, path }) => {
  const found = await getMessage(path.message_id, caller);
  if (!found) throw notFound('message_id');
  const [contact, message] = await Promise.all([
    getContact(found.sent_by),
    isNewTo(caller.id, found) ? markRead(found) : found,
  ]);
  return messageFrom(contact, message);
});
