import * as v from 'valibot';
import { notFound } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { Contact } from '../../contract/resources/contact.ts';
import { Message } from '../../contract/resources/message.ts';
import { getBusiness } from '../businesses/get-business.ts';
import { getContact } from '../contacts.ts';
import { findContact } from '../conversations/query/find-contact.ts';
import { toMessageReply } from '../messages/log/message-item.ts';
import { getMessage } from '../messages/query/get-message.ts';
import type { ReportItem, ReportSubject } from './report-item.ts';

/** A contact as the reporter saw it, without the phone number and timestamps. */
const { id: contactId, username, avatar_url } = Contact.entries;
const ContactCopy = v.object({ id: contactId, username, avatar_url });

/** A reported message as its reporter saw it, without reactions and `read_at`. */
const { id, conversation_id, message, attachments, created_at, updated_at } = Message.entries;
const MessageCopy = v.object({
  ...{ id, conversation_id, message, attachments, created_at, updated_at },
  contact: ContactCopy,
  group_id: v.nullable(v.string()),
});
export type MessageCopy = v.InferOutput<typeof MessageCopy>;

/** Returns the subject as JSON text. Throws `not_found` if the caller may not see it. */
export async function copySubject({ kind, id }: ReportSubject, caller: Caller): Promise<string> {
  if (kind === 'message_id') return JSON.stringify(await copyMessage(id, caller));
  if (kind === 'public_id') {
    const business = await getBusiness(id);
    if (!business) throw notFound(kind);
    return JSON.stringify(business);
  }
  const contact = await findContact(id, caller);
  if (!contact) throw notFound(kind);
  return JSON.stringify(v.parse(ContactCopy, contact));
}

async function copyMessage(id: string, caller: Caller): Promise<MessageCopy> {
  const { message, conversation } = await getMessage(id, caller);
  const reply = toMessageReply(caller.id, await getContact(message.sent_by), message);
  return v.parse(MessageCopy, { ...reply, group_id: conversation.group_id ?? null });
}

export const parseMessageCopy = ({ copy = '' }: ReportItem): MessageCopy =>
  v.parse(MessageCopy, JSON.parse(copy));
