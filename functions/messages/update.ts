import { updateMessage } from '../../shared/contract/operations.ts';
import { mergeReactions } from '../../shared/contract/resources/message.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { expandMessages } from '../../shared/table/expansions/expand-messages.ts';
import { toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { changeMessage } from '../../shared/table/messages/write/change-message.ts';

export const handler = serve(updateMessage, async ({ caller, path, query, body, ifMatch }) => {
  const { message, attachments, reactions } = body;
  const change = {
    message,
    attachments: attachments === null ? [] : attachments,
    reactions: mergeReactions([reactions ?? []].flat()),
  };
  const changed = await changeMessage(path.message_id, caller, change, ifMatch);
  const [contact, getExpansion] = await Promise.all([
    getContact(changed.sent_by),
    expandMessages(caller, [changed], query.expand),
  ]);
  return { reply: toMessageReply(caller.id, contact, changed), expansion: getExpansion?.(changed) };
});
