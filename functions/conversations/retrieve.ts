import { retrieveConversation } from '../../shared/contract/operations.ts';
import { notFound } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { answerFor, getConversation } from '../../shared/table/conversations/items.ts';
import { expansionOf } from '../../shared/table/messages/expand.ts';

export const handler = serve(retrieveConversation, async ({ caller, path, query }) => {
  const found = await getConversation(path.conversation_id, caller);
  if (!found) throw notFound('conversation_id');
  const expansion = await expansionOf(caller, found, query.expand);
  return { ...answerFor(caller.id, found), expansion };
});
