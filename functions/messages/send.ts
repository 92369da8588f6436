import * as v from 'valibot';
import { invalidParameter } from '../../shared/api-error.ts';
import type { OperationResult } from '../../shared/contract/operation.ts';
import { sendMessage } from '../../shared/contract/operations.ts';
import type { Contact } from '../../shared/contract/resources/contact.ts';
import type { Message } from '../../shared/contract/resources/message.ts';
import { serve } from '../../shared/http/serve.ts';
import { parseMessageId } from '../../shared/ids.ts';
import { withUploads } from '../../shared/table/attachments/take-uploads.ts';
import { getConversation } from '../../shared/table/conversations/items/find-access.ts';
import { expandMessages } from '../../shared/table/expansions/expand-messages.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';
import {
  type MessageWithContent,
  newMessage,
  parseAttachments,
  toMessageReply,
} from '../../shared/table/messages/log/message-item.ts';
import { appendMessage } from '../../shared/table/messages/write/append-message.ts';

export const handler = serve(sendMessage, async ({ caller, query, body, idempotencyKey }) => {
  const { conversation_id, attachments, ...fields } = body;
  requireSameConversation(conversation_id, fields.reply_to_id);
  const requestedAttachments = attachments ?? [];
  const content = { ...fields, attachments: requestedAttachments };
  const toResult = async (
    sent: MessageWithContent,
    contact: Contact,
    expandable = [sent],
  ): Promise<OperationResult<Message>> => {
    const getExpansion = await expandMessages(caller, expandable, query.expand);
    return { reply: toMessageReply(caller.id, contact, sent), expansion: getExpansion?.(sent) };
  };

  return withIdempotency(idempotencyKey, caller, {
    replay: async ({ made, contact, found }) => {
      const position = parseMessageId(made);
      if (!position)
        throw new Error(`The idempotency record contains an invalid message id: ${made}`);
      const { attachments: stored } = v.parse(StoredUploads, found ?? {});
      const first = {
        ...content,
        ...(stored && { attachments: parseAttachments({ attachments: stored }) }),
      };
      const sent = newMessage(position, caller.id, first, 0);
      // An expansion shows the quoted message's current state. A sender who has left the
      // conversation must not see this state.
      const mayExpand =
        query.expand.length === 0 || (await getConversation(conversation_id, caller));
      return toResult(sent, contact, mayExpand ? [sent] : []);
    },
    create: async (commit) => {
      const { message: sent, contact } = await withUploads(
        ...([conversation_id, caller, requestedAttachments] as const),
        (stored) =>
          appendMessage(conversation_id, caller, { ...content, attachments: stored }, commit),
      );
      return toResult(sent, contact);
    },
  });
});

/** Stored form of attachments. Unlike the request, this form contains the uploads' metadata. */
const StoredUploads = v.object({ attachments: v.exactOptional(v.string()) });

/**
 * Throws `parameter_invalid` if `quotedId` is set but does not contain the conversation's id. Does
 * not check whether the quoted message exists, because the error would reveal its existence to
 * callers without access.
 */
function requireSameConversation(conversationId: string, quotedId: string | undefined) {
  if (!quotedId || parseMessageId(quotedId)?.conversationId === conversationId) return;
  throw invalidParameter('reply_to_id', 'must be the id of a message of this conversation');
}
