import { updateConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { changeConversation } from '../../shared/table/conversations/change.ts';
import { answerFor } from '../../shared/table/conversations/items.ts';

export const handler = serve(updateConversation, async ({ caller, path, body, ifMatch }) => {
  const changed = await changeConversation(path.conversation_id, caller, body, ifMatch);
  return answerFor(caller.id, changed);
});
