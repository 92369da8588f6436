import type { Conversation } from '../../../client/src/index.ts';
import type { Person } from '../state/person.ts';

/** Returns the other contact's id; null for a group, a chat with oneself or a deleted contact. */
export const getDirectContact = (
  { contact_id, group_id }: Conversation,
  userId: string,
): string | null => (group_id === null && contact_id !== userId ? contact_id : null);

export const block = (person: Person, contactId: string) =>
  person.attemptOther('The contact was not blocked.', () => person.blockList.block(contactId));

export const unblock = (person: Person, contactId: string) =>
  person.attemptOther('The contact was not unblocked.', () => person.blockList.unblock(contactId));
