import { deleteConversation as operation } from '../../shared/contract/operations.ts';
import { toDeletedReply } from '../../shared/contract/resources/deleted.ts';
import { serve } from '../../shared/http/serve.ts';
import { deleteConversation } from '../../shared/table/conversations/write/delete-conversation.ts';

export const handler = serve(operation, async ({ caller, path, ifMatch }) => {
  await deleteConversation(path.conversation_id, caller, ifMatch);
  return toDeletedReply(path.conversation_id);
});
