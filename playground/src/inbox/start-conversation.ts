import type { CreateConversationParams } from '../../../client/src/index.ts';
import type { Person } from '../state/person.ts';

/** Makes a conversation and opens it; false when there is none. */
export const startConversation = (
  person: Person,
  fields: CreateConversationParams,
): Promise<boolean> =>
  person.attempt('The conversation was not made.', async () => {
    const expand: CreateConversationParams['expand'] = ['contact', 'last_message', 'unread_count'];
    const conversation = await person.client.conversations.create({ ...fields, expand });
    person.open(conversation.id);
    return conversation;
  });
