import type { Contact, Conversation } from '../../../client/src/index.ts';

export const nameOf = (contact: Contact): string => contact.username ?? contact.id;

/** What a list calls a conversation. */
export function named({ contact, contact_id, group_id }: Conversation): string {
  const other = contact ? nameOf(contact) : contact_id;
  if (group_id === null) return other ?? 'Nobody';
  return other === null ? group_id : `${group_id} and ${other}`;
}
