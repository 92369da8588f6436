import { listGroups } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { isUserGroupId } from '../../shared/ids.ts';
import { resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { toGroupReply } from '../../shared/table/groups/group-item.ts';
import { listGroupsOf } from '../../shared/table/groups/list-groups.ts';

export const handler = serve(listGroups, async ({ caller, query }) => {
  const paging = toPaging(query);
  // Groups are sorted by id, so a cursor still works after the caller has left the group that the
  // cursor names.
  const start = await resolveCursor(paging, 'must be the id of a group of this list', ({ id }) =>
    isUserGroupId(id) ? id : undefined,
  );
  const { backwards, count } = paging;
  const groups = await listGroupsOf(caller.id, { start, backwards, count });
  const page = toPage(groups, paging, ({ id }) => id);
  return { ...page, data: page.data.map(toGroupReply) };
});
