import type { Conversation } from '../../../client/src/index.ts';
import { conversationFields } from '../state/conversation-fields.ts';
import type { Person } from '../state/person.ts';

export const canAssign = ({ identity }: Person, { group_id, business }: Conversation): boolean =>
  !!business && group_id !== null && identity.groups.includes(group_id);

/**
 * Assigns an unassigned conversation to the user, or removes the user's own assignment. Leaves an
 * assignment to another user unchanged. Returns false if a request failed.
 */
export const assign = (person: Person, conversation_id: string): Promise<boolean> =>
  person.attempt('The conversation was not assigned.', async () => {
    const { conversations } = person.client;
    const expand = conversationFields;
    const { data, etag } = await conversations.retrieve({ conversation_id, expand }).withResponse();
    const me = person.identity.id;
    if (data.assigned_to && data.assigned_to !== me) return data;
    const assigned_to = data.assigned_to === me ? null : me;
    const options = etag === null ? {} : { ifMatch: etag };
    return conversations.update({ conversation_id, assigned_to, expand }, options);
  });
