import { updateGroup } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { changeGroup } from '../../shared/table/group-changes/change-group.ts';
import { toGroupResult } from '../../shared/table/groups/group-item.ts';

export const handler = serve(updateGroup, async ({ caller, path, body, ifMatch }) =>
  toGroupResult(await changeGroup(path.group_id, caller, body, ifMatch)),
);
