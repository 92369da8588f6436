import * as v from 'valibot';
import { notFound } from '../../shared/api-error.ts';
import { listGroupMembers } from '../../shared/contract/operations.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';
import { serve } from '../../shared/http/serve.ts';
import { formatCursor, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { getGroupView } from '../../shared/table/groups/group-item.ts';
import { listMembers } from '../../shared/table/groups/list-members.ts';
import { getMembership, toMemberReply } from '../../shared/table/groups/membership.ts';

export const handler = serve(listGroupMembers, async ({ caller, path: { group_id }, query }) => {
  if (!(await getGroupView(group_id, caller.id))) throw notFound('group_id');
  const paging = toPaging(query);
  const rule = 'must be the contact id of a member of this group';
  const start = await resolveCursor(paging, rule, async ({ id: contactId, position = '' }) => {
    if (!v.is(ExternalId, contactId)) return undefined;
    const joinedAt = /^\d{1,15}$/.test(position)
      ? Number(position)
      : (await getMembership(contactId, group_id))?.joined_at;
    return joinedAt === undefined ? undefined : { contactId, joinedAt };
  });
  const { backwards, count } = paging;
  const members = await listMembers(group_id, { start, backwards, count });
  const page = toPage(members, paging, ({ contact_id, joined_at }) =>
    formatCursor(contact_id, joined_at),
  );
  return { ...page, data: page.data.map(toMemberReply) };
});
