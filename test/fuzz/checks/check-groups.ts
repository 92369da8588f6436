import * as v from 'valibot';
import { removeGroupMember } from '../../../shared/contract/operations.ts';
import { Group, GroupMemberPage, GroupPage } from '../../../shared/contract/resources/group.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Reply } from '../run/raw-client.ts';
import type { Sent } from '../send/compile-request.ts';
import { parseGroupPath } from '../send/parse-group-path.ts';
import { sendGet } from './check-effects.ts';
import { parseJson } from './check-reply.ts';

const isOfGroups = ({ row }: Sent) => /^(groups|members)\//.test(row?.id ?? '');

/**
 * Checks that the caller has been a member of each group in the reply or path and, for a change,
 * has had the required role.
 */
export function findForeignGroup(
  sent: Sent,
  reply: Reply,
  { model: { groups } }: Fixture,
): string | undefined {
  const { caller, row, target } = sent;
  if (!caller || !isOfGroups(sent) || reply.status >= 300) return undefined;
  const body = parseJson(reply.body);
  const shown = v.is(GroupPage, body)
    ? body.data.map(({ id }) => id)
    : v.is(Group, body)
      ? [body.id]
      : [parseGroupPath(target).groupId];
  const foreign = shown.find((id) => !groups.mayHaveBeen(id, caller.id));
  if (foreign) return `The reply shows ${foreign}, but ${caller.id} was never a member.`;
  const isRemoval = row?.id === removeGroupMember.id;
  const isLeaving = isRemoval && parseGroupPath(target).contactId === caller.id;
  const isChange = row?.method !== 'GET' && row?.method !== 'POST';
  const admins = row?.id === 'groups/delete' ? (['owner'] as const) : (['owner', 'admin'] as const);
  return isChange && !isLeaving && shown.some((id) => !groups.mayHaveBeen(id, caller.id, admins))
    ? `${caller.id} never had the required role.`
    : undefined;
}

export async function findGroupFaults(fixture: Fixture): Promise<string[]> {
  const { groups } = fixture.model;
  const wrong: string[] = [];
  for (const person of fixture.people) {
    const list = await sendGet(fixture, person, '/v1/groups?limit=100');
    for (const { id, member_count } of v.parse(GroupPage, parseJson(list.body)).data) {
      if (groups.all.get(id)?.deleted) wrong.push(`${id} is deleted, but ${person.id} sees it`);
      const reply = await sendGet(fixture, person, `/v1/groups/${id}/members?limit=100`);
      const { data } = v.parse(GroupMemberPage, parseJson(reply.body));
      if (!data.some(({ role }) => role === 'owner')) wrong.push(`${id} has no owner`);
      if (!data.some(({ contact_id }) => contact_id === person.id)) {
        wrong.push(`${id} is shown to ${person.id}, who is not among its members`);
      }
      if (data.length !== member_count) {
        wrong.push(`${id} has ${data.length} members but counts ${member_count}`);
      }
      for (const { contact_id, role } of data) {
        if (!groups.mayHaveBeen(id, contact_id, [role])) {
          wrong.push(`${contact_id} is ${role} of ${id}, but no request assigned this role`);
        }
      }
    }
  }
  return wrong;
}
