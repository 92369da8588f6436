import { updateConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { changeConversation } from '../../shared/table/conversations/change.ts';
import { answerFor } from '../../shared/table/conversations/items.ts';
import { expansionOf } from '../../shared/table/messages/expand.ts';

export const handler = serve(updateConversation, async ({ caller, path, query, body, ifMatch }) => {
  const { expand, ...change } = body;
  const changed = await changeConversation(path.conversation_id, caller, change, ifMatch);
  const expansion = await expansionOf(caller, changed, [...query.expand, ...expand]);
  return { ...answerFor(caller.id, changed), expansion };
});
