import { notFound } from '../../shared/api-error.ts';
import { retrieveGroup } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getGroupView, toGroupResult } from '../../shared/table/groups/group-item.ts';

export const handler = serve(retrieveGroup, async ({ caller, path }) => {
  const view = await getGroupView(path.group_id, caller.id);
  if (!view) throw notFound('group_id');
  return toGroupResult(view.group);
});
