import { updateConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { toConversationResult } from '../../shared/table/conversations/items/conversation-item.ts';
import { changeConversation } from '../../shared/table/conversations/write/change-conversation.ts';
import { getExpansion } from '../../shared/table/expansions/expand-conversations.ts';
import { markReadUpTo, toMarking } from '../../shared/table/messages/write/mark-read.ts';

export const handler = serve(updateConversation, async ({ caller, path, query, body, ifMatch }) => {
  const { expand, ...change } = body;
  const changed = await changeConversation(path.conversation_id, caller, change, ifMatch);
  const { last_read_message_id: lastRead } = change;
  if (lastRead !== undefined) {
    // Marks messages as read only after the change, so that a refused change marks none.
    await markReadUpTo(toMarking(caller.id, changed.conversation), lastRead);
  }
  const expansion = await getExpansion(caller, changed, [...query.expand, ...expand]);
  return { ...toConversationResult(caller, changed), expansion };
});
