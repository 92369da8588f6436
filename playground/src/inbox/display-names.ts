import type { Contact, Conversation } from '../../../client/src/index.ts';
import type { Person } from '../state/person.ts';

export const getContactName = (contact: Contact): string => contact.username ?? contact.id;

/**
 * Returns a conversation's name for the user. The name of a conversation with a group or business
 * includes the name of the contact, if any, unless the user is that contact.
 */
export function getConversationName(
  { contact, contact_id, group_id, business }: Conversation,
  { identity, groups }: Pick<Person, 'identity' | 'groups'>,
): string {
  const other = contact ? getContactName(contact) : contact_id;
  if (group_id === null) return other ?? 'Deleted contact';
  const created = groups.value.groups.find(({ id }) => id === group_id);
  const group = business?.title ?? created?.title ?? group_id;
  return other === null || contact_id === identity.id ? group : `${group} and ${other}`;
}
