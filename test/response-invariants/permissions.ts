export interface Participants {
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
}

/** A person with the groups in their current token. */
export interface Caller {
  id: string;
  groups: { includes(group: string): boolean };
}

/**
 * Reports whether the person is a participant. The participants of a direct conversation are its
 * creator and its contact. The participants of a group conversation are the current group members
 * and the contact.
 */
export const isParticipant = (
  { created_by, contact_id, group_id }: Participants,
  { id, groups }: Caller,
): boolean =>
  contact_id === id || (group_id === null ? created_by === id : groups.includes(group_id));

/**
 * Reports whether the caller may delete the conversation. The caller must be a participant who
 * created it, or the contact of a direct conversation.
 */
export const canDelete = (conversation: Participants, caller: Caller): boolean =>
  isParticipant(conversation, caller) &&
  (conversation.created_by === caller.id ||
    (conversation.group_id === null && conversation.contact_id === caller.id));

/** Returns the `contact_id` in a participant's replies: for the contact, the creator's id. */
export const getContact = ({ created_by, contact_id }: Participants, id: string): string | null =>
  contact_id === id ? created_by : contact_id;

/**
 * Reports whether the person is the message's sender. Only the sender may change text and
 * attachments, or delete the message.
 */
export const isOwn = (message: { sent_by: string }, id: string): boolean => message.sent_by === id;

/**
 * Returns 404 if the caller may not see the resource, 403 if the caller may see it but may not
 * perform the operation, and otherwise `undefined`.
 */
export const getRefusalStatus = (maySee: boolean, mayDo: boolean): 404 | 403 | undefined =>
  maySee ? (mayDo ? undefined : 403) : 404;
