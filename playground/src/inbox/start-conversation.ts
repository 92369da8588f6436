import type { CreateConversationParams } from '../../../client/src/index.ts';
import type { Person } from '../state/person.ts';

/** Creates and opens a conversation. Returns whether it succeeded. */
export const startConversation = (
  person: Person,
  fields: CreateConversationParams,
): Promise<boolean> =>
  person.attempt('The conversation was not created.', async () => {
    const expand: CreateConversationParams['expand'] = ['contact', 'last_message', 'unread_count'];
    const conversation = await person.client.conversations.create({ ...fields, expand });
    person.open(conversation.id);
    return conversation;
  });
