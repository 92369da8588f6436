import * as v from 'valibot';
import { notFound } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { BusinessRecord } from '../../contract/business/business.ts';
import { Message } from '../../contract/resources/message.ts';
import { getBusiness } from '../businesses/get-business.ts';
import { getContact } from '../contacts.ts';
import { findContact } from '../conversations/query/find-contact.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { getMessage } from '../messages/query/get-message.ts';
import type { ReportItem, ReportSubject } from './report-item.ts';

/** A reported message as its reporter saw it, without reactions and the sender's phone number. */
const { contact, ...fields } = Message.entries;
const { id, conversation_id, message, attachments, created_at, updated_at } = fields;
const { id: contactId, username, avatar_url } = contact.entries;
const MessageCopy = v.object({
  ...{ id, conversation_id, message, attachments, created_at, updated_at },
  contact: v.object({ id: contactId, username, avatar_url }),
  group_id: v.nullable(v.string()),
});
export type MessageCopy = v.InferOutput<typeof MessageCopy>;

/** Returns the copy for a report, as JSON text. Throws `not_found` if the caller may not see it. */
export async function copySubject(
  { kind, id }: ReportSubject,
  caller: Caller,
): Promise<string | undefined> {
  if (kind === 'message_id') return JSON.stringify(await copyMessage(id, caller));
  if (kind === 'public_id') {
    const business = await getBusiness(id);
    if (!business) throw notFound(kind);
    return JSON.stringify(business);
  }
  if (!(await findContact(id, caller))) throw notFound(kind);
  return undefined;
}

async function copyMessage(id: string, caller: Caller): Promise<MessageCopy> {
  const { message, conversation } = await getMessage(id, caller);
  const reply = toMessageReply(caller.id, await getContact(message.sent_by), message);
  return v.parse(MessageCopy, { ...reply, group_id: conversation.group_id ?? null });
}

export const parseMessageCopy = ({ copy = '' }: ReportItem): MessageCopy =>
  v.parse(MessageCopy, JSON.parse(copy));

export const parseBusinessCopy = ({ copy = '' }: ReportItem): BusinessRecord =>
  v.parse(BusinessRecord, JSON.parse(copy));
