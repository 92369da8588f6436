import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../../shared/clock.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import { env } from '../../../shared/env.ts';
import { newGroupId } from '../../../shared/ids.ts';
import { newGroup } from '../../../shared/table/groups/group-item.ts';
import { toStoredMembership } from '../../../shared/table/groups/group-writes.ts';
import { groupKey, membershipKey } from '../../../shared/table/keys/group-keys.ts';
import { documentClient } from '../table/document-client.ts';

/** Stores a group that the first member created, and its memberships. Returns the group's id. */
export async function seedUserGroup(members: Record<string, GroupRole>): Promise<string> {
  const id = newGroupId(clock.now());
  const [creator = ''] = Object.keys(members);
  const group = { ...newGroup(id, creator, { title: 'Seeded' }), ...countMembers(members) };
  await documentClient.send(
    new PutCommand({ TableName: env('TABLE_NAME'), Item: { ...groupKey(id), ...group } }),
  );
  for (const [contactId, role] of Object.entries(members)) await addMember(id, contactId, role);
  return id;
}

const countMembers = (members: Record<string, GroupRole>) => ({
  member_count: Object.keys(members).length,
  owner_count: Object.values(members).filter((role) => role === 'owner').length,
});

/** Puts a membership without changing the group's counts. */
export async function addMember(group_id: string, contact_id: string, role: GroupRole = 'member') {
  const Item = toStoredMembership({ group_id, contact_id, role, joined_at: clock.now() });
  await documentClient.send(new PutCommand({ TableName: env('TABLE_NAME'), Item }));
}

/** Removes a membership without changing the group's counts. */
export const removeMember = (group_id: string, contact_id: string) =>
  documentClient.send(
    new DeleteCommand({ TableName: env('TABLE_NAME'), Key: membershipKey(contact_id, group_id) }),
  );

/** Marks a membership as the purge worker does after the group's deletion. */
export const markGroupDeleted = (group_id: string, contact_id: string) =>
  documentClient.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: membershipKey(contact_id, group_id),
      UpdateExpression: 'SET is_group_deleted = :true',
      ExpressionAttributeValues: { ':true': true },
    }),
  );
