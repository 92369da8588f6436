import type { CreateConversationParams } from '../../../client/src/index.ts';
import { conversationFields } from '../state/conversation-fields.ts';
import type { Person } from '../state/person.ts';

/** Creates and opens a conversation. Returns false if the conversation was not created. */
export const startConversation = (
  person: Person,
  fields: CreateConversationParams,
): Promise<boolean> =>
  person.attempt('The conversation was not created.', async () => {
    const params = { ...fields, expand: conversationFields };
    const conversation = await person.client.conversations.create(params);
    person.open(conversation.id);
    return conversation;
  });
