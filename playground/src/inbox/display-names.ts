import type { Contact, Conversation } from '../../../client/src/index.ts';

export const getContactName = (contact: Contact): string => contact.username ?? contact.id;

/** Returns a conversation's name in a list. */
export function getConversationName({ contact, contact_id, group_id }: Conversation): string {
  const other = contact ? getContactName(contact) : contact_id;
  if (group_id === null) return other ?? 'Deleted contact';
  return other === null ? group_id : `${group_id} and ${other}`;
}
