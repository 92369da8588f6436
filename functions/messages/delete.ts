import { deleteMessage as operation } from '../../shared/contract/operations.ts';
import { toDeletedReply } from '../../shared/contract/resources/deleted.ts';
import { serve } from '../../shared/http/serve.ts';
import { deleteMessage } from '../../shared/table/messages/write/delete-message.ts';

export const handler = serve(operation, async ({ caller, path, ifMatch }) => {
  await deleteMessage(path.message_id, caller, ifMatch);
  return toDeletedReply(path.message_id);
});
