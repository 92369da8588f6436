import { deleted } from '../../shared/contract/deleted.ts';
import { deleteMessage as operation } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { deleteMessage } from '../../shared/table/messages/write/delete-message.ts';

export const handler = serve(operation, async ({ caller, path, ifMatch }) => {
  await deleteMessage(path.message_id, caller, ifMatch);
  return deleted(path.message_id);
});
