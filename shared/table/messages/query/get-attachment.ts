import { notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { parseAttachmentId, parseMessageId } from '../../../ids.ts';
import { type AttachmentItem, parseAttachment } from '../../attachments/attachment-item.ts';
import { getItem, lookUpItems } from '../../calls/access.ts';
import { findVisibleConversation } from '../../conversations/items/find-access.ts';
import { attachmentKey, conversationKey, messageKey } from '../../keys/keys.ts';

/**
 * Returns an attachment. Throws `not_found` if the caller may not retrieve the attachment's
 * message. Before the message is sent, only the uploader may retrieve the attachment.
 */
export async function getAttachment(id: string, caller: Caller): Promise<AttachmentItem> {
  const position = parseAttachmentId(id);
  if (!position) throw notFound('attachment_id');
  const keys = { own: attachmentKey(position), parent: conversationKey(position.conversationId) };
  const findItem = await lookUpItems(Object.values(keys));
  const attachment = parseAttachment(findItem(keys.own));
  const conversation = await findVisibleConversation(caller, findItem(keys.parent));
  if (!attachment || !conversation || !(await isReadable(attachment, caller))) {
    throw notFound('attachment_id');
  }
  return attachment;
}

async function isReadable(
  { message_id, uploaded_by }: AttachmentItem,
  caller: Caller,
): Promise<boolean> {
  const message = message_id === undefined ? undefined : parseMessageId(message_id);
  if (!message) return uploaded_by === caller.id;
  const entry = await getItem(messageKey(message.conversationId, message.sequence));
  return entry?.id === message_id;
}
