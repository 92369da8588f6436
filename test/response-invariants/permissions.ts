/** The fields that determine the members of a conversation. */
export interface Participants {
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
}

/** A person with the groups of their current token. */
export interface Caller {
  id: string;
  groups: { includes(group: string): boolean };
}

/**
 * Returns whether the person is a member: in a direct conversation its creator and contact; in a
 * group conversation the group's current members and the contact.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: Participants,
  { id, groups }: Caller,
): boolean =>
  contact_id === id || (group_id === null ? created_by === id : groups.includes(group_id));

/**
 * Members may view the conversation. Its creator may delete it; in a direct conversation the
 * contact may, too.
 */
export const canDelete = (conversation: Participants, who: Caller): boolean =>
  isParticipant(conversation, who) &&
  (conversation.created_by === who.id ||
    (conversation.group_id === null && conversation.contact_id === who.id));

/** Returns the other contact from the member's point of view. */
export const getContact = ({ created_by, contact_id }: Participants, id: string): string | null =>
  contact_id === id ? created_by : contact_id;

/** Only the sender may change text and attachments, or delete the message. */
export const isOwn = (message: { sent_by: string }, id: string): boolean => message.sent_by === id;

/** Returns the error of a forbidden request: 404 for callers who may not view the resource. */
export const getRefusalStatus = (maySee: boolean, mayDo: boolean): 404 | 403 | undefined =>
  maySee ? (mayDo ? undefined : 403) : 404;
