import { retrieveMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { expandMessages } from '../../shared/table/expansions/expand-messages.ts';
import { toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { getMessage } from '../../shared/table/messages/query/get-message.ts';
import { isUnreadBy, markRead, toMarking } from '../../shared/table/messages/write/mark-read.ts';

export const handler = serve(retrieveMessage, async ({ caller, path, query }) => {
  const { conversation, message } = await getMessage(path.message_id, caller);
  const marking = toMarking(caller.id, conversation);
  const [contact, shown, getExpansion] = await Promise.all([
    getContact(message.sent_by),
    !query.peek && isUnreadBy(marking, message) ? markRead(message, marking) : message,
    expandMessages(caller, [message], query.expand),
  ]);
  return { reply: toMessageReply(caller.id, contact, shown), expansion: getExpansion?.(shown) };
});
