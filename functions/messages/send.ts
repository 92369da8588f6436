import { sendMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { parseMessageId } from '../../shared/ids.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';
import { newMessage, toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { appendMessage } from '../../shared/table/messages/write/append-message.ts';

export const handler = serve(sendMessage, async ({ caller, body, idempotencyKey }) => {
  const content = { message: body.message, attachments: body.attachments ?? [] };

  return withIdempotency(idempotencyKey, caller, {
    replay: ({ made, contact }) => {
      const position = parseMessageId(made);
      if (!position)
        throw new Error(`The idempotency record names an id that is not a message id: ${made}`);
      return { reply: toMessageReply(contact, newMessage(position, caller.id, content, 0)) };
    },
    create: async (put) => {
      const { message, contact } = await appendMessage(body.conversation_id, caller, content, put);
      return { reply: toMessageReply(contact, message) };
    },
  });
});
