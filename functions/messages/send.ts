import { sendMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { parseMessageId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { type FirstReply, findFirst } from '../../shared/table/idempotency.ts';
import { appendMessage } from '../../shared/table/messages/append.ts';
import { messageFrom, newMessage } from '../../shared/table/messages/items.ts';

export const handler = serve(sendMessage, async ({ caller, body, once }) => {
  const content = { message: body.message, attachments: body.attachments ?? [] };
  const replay = ({ made, contact }: FirstReply) => {
    const position = parseMessageId(made);
    if (!position) throw new Error(`The record of a first reply names no message: ${made}`);
    const message = newMessage(position, caller.id, content, 0);
    return { reply: messageFrom(contact, message), replayed: true } as const;
  };

  const first = await findFirst(once, caller);
  if (first) return replay(first);
  const touching = touchContact(caller);
  const guard = once && { once, contact: touching };
  const [contact, appended] = await Promise.all([
    touching,
    appendMessage(body.conversation_id, caller, content, guard),
  ]);
  return 'first' in appended ? replay(appended.first) : messageFrom(contact, appended.item);
});
