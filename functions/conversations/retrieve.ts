import { retrieveConversation } from '../../shared/contract/operations.ts';
import { notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { answerFor, getConversation } from '../../shared/table/conversations/items.ts';

export const handler = serve(retrieveConversation, async ({ caller, path }) => {
  const found = await getConversation(path.conversation_id, caller);
  if (!found) throw notFound('conversation_id');
  return answerFor(caller.id, found);
});
