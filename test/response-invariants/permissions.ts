/** The fields that determine the participants of a conversation. */
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
 * Reports whether the person is a participant: in a direct conversation, its creator or contact; in
 * a group conversation, a current member of the group or the contact.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: Participants,
  { id, groups }: Caller,
): boolean =>
  contact_id === id || (group_id === null ? created_by === id : groups.includes(group_id));

/**
 * Reports whether the person may delete the conversation: a participant who created it, or the
 * contact of a direct conversation.
 */
export const canDelete = (conversation: Participants, who: Caller): boolean =>
  isParticipant(conversation, who) &&
  (conversation.created_by === who.id ||
    (conversation.group_id === null && conversation.contact_id === who.id));

/** Returns the other contact, from the participant's point of view. */
export const getContact = ({ created_by, contact_id }: Participants, id: string): string | null =>
  contact_id === id ? created_by : contact_id;

/**
 * Reports whether the person is the sender, who alone may change text and attachments, or delete
 * the message.
 */
export const isOwn = (message: { sent_by: string }, id: string): boolean => message.sent_by === id;

/** Returns 404 if callers may not see the resource, 403 if they may only see it, else undefined. */
export const getRefusalStatus = (maySee: boolean, mayDo: boolean): 404 | 403 | undefined =>
  maySee ? (mayDo ? undefined : 403) : 404;
