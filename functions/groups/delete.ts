import { deleteGroup as operation } from '../../shared/contract/operations.ts';
import { toDeletedReply } from '../../shared/contract/resources/deleted.ts';
import { serve } from '../../shared/http/serve.ts';
import { deleteGroup } from '../../shared/table/group-changes/change-group.ts';

export const handler = serve(operation, async ({ caller, path, ifMatch }) => {
  await deleteGroup(path.group_id, caller, ifMatch);
  return toDeletedReply(path.group_id);
});
