import type { Contact, Conversation } from '../../../client/src/index.ts';

export const getContactName = (contact: Contact): string => contact.username ?? contact.id;

/** Returns a conversation's name for a user: for a customer of a business, the business alone. */
export function getConversationName(
  { contact, contact_id, group_id, business }: Conversation,
  userId: string,
): string {
  const other = contact ? getContactName(contact) : contact_id;
  if (group_id === null) return other ?? 'Deleted contact';
  const group = business?.title ?? group_id;
  return other === null || contact_id === userId ? group : `${group} and ${other}`;
}
