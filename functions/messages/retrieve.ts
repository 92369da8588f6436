import { retrieveMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { expandMessages } from '../../shared/table/expansions/expand-messages.ts';
import { toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { getMessage } from '../../shared/table/messages/query/get-message.ts';
import { isUnreadBy, markRead } from '../../shared/table/messages/write/mark-read.ts';

export const handler = serve(retrieveMessage, async ({ caller, path, query }) => {
  const { message } = await getMessage(path.message_id, caller);
  const [contact, shown, getExpansion] = await Promise.all([
    getContact(message.sent_by),
    !query.peek && isUnreadBy(caller.id, message) ? markRead(message) : message,
    expandMessages([message], query.expand),
  ]);
  return { reply: toMessageReply(contact, shown), expansion: getExpansion?.(shown) };
});
