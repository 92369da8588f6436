import { notFound } from '../../shared/api-error.ts';
import { retrieveConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { toConversationResult } from '../../shared/table/conversations/items/conversation-item.ts';
import { getConversation } from '../../shared/table/conversations/items/find-access.ts';
import { getExpansion } from '../../shared/table/expansions/expand-conversations.ts';

export const handler = serve(retrieveConversation, async ({ caller, path, query }) => {
  const found = await getConversation(path.conversation_id, caller);
  if (!found) throw notFound('conversation_id');
  const expansion = await getExpansion(caller, found, query.expand);
  return { ...toConversationResult(caller, found), expansion };
});
