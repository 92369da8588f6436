/** What says who takes part in a conversation. */
export interface Participants {
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
}

/** Somebody with the groups that their token of the moment names. */
export interface Caller {
  id: string;
  groups: { includes(group: string): boolean };
}

/** In a direct conversation its creator and the contact; in a group's, its present members and the contact. */
export const isParticipant = (
  { created_by, contact_id, group_id }: Participants,
  { id, groups }: Caller,
): boolean =>
  contact_id === id || (group_id === null ? created_by === id : groups.includes(group_id));

/** Whoever takes part may see it; its creator may delete it, and in a direct conversation the contact too. */
export const canDelete = (conversation: Participants, who: Caller): boolean =>
  isParticipant(conversation, who) &&
  (conversation.created_by === who.id ||
    (conversation.group_id === null && conversation.contact_id === who.id));

/** The other contact, as that participant is shown it. */
export const getContact = ({ created_by, contact_id }: Participants, id: string): string | null =>
  contact_id === id ? created_by : contact_id;

/** Text and attachments are the sender's to change, and the message to delete. */
export const isOwn = (message: { sent_by: string }, id: string): boolean => message.sent_by === id;

/** How a request about a thing is refused: to those who may not see it, it does not exist. */
export const getRefusalStatus = (maySee: boolean, mayDo: boolean): 404 | 403 | undefined =>
  maySee ? (mayDo ? undefined : 403) : 404;
