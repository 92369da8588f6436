import { updateConversation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { changeConversation } from '../../shared/table/conversations/change.ts';
import { answerFor } from '../../shared/table/conversations/items.ts';
import { expansionOf } from '../../shared/table/messages/expand.ts';
import { markReadUpTo } from '../../shared/table/messages/mark-read-up-to.ts';

export const handler = serve(updateConversation, async ({ caller, path, query, body, ifMatch }) => {
  const { expand, ...change } = body;
  const changed = await changeConversation(path.conversation_id, caller, change, ifMatch);
  const { last_read_message_id: lastRead } = change;
  if (lastRead !== undefined) await markReadUpTo(caller.id, lastRead);
  const expansion = await expansionOf(caller, changed, [...query.expand, ...expand]);
  return { ...answerFor(caller.id, changed), expansion };
});
