import { retrieveConversation } from '../../shared/contract/operations.ts';
import { notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { conversationSeenBy, getConversation } from '../../shared/table/conversations.ts';

export const handler = serve(retrieveConversation, async ({ caller, path }) => {
  const found = await getConversation(path.conversation_id, caller);
  if (!found) throw notFound('conversation_id');
  return conversationSeenBy(caller.id, found.conversation, found.settings);
});
