import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../../shared/clock.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import { env } from '../../../shared/env.ts';
import { newGroupId } from '../../../shared/ids.ts';
import { client } from '../../../shared/table/calls/client.ts';
import { toStoredMembership } from '../../../shared/table/groups/group-writes.ts';
import { membershipKey } from '../../../shared/table/keys/group-keys.ts';

/** Puts memberships of a new user group, but no group. Returns its id. */
export async function seedUserGroup(members: Record<string, GroupRole>): Promise<string> {
  const id = newGroupId(clock.now());
  for (const [contactId, role] of Object.entries(members)) await addMember(id, contactId, role);
  return id;
}

/** Puts a membership, and nothing else. */
export async function addMember(group_id: string, contact_id: string, role: GroupRole = 'member') {
  const Item = toStoredMembership({ group_id, contact_id, role, joined_at: clock.now() });
  await client.send(new PutCommand({ TableName: env('TABLE_NAME'), Item }));
}

/** Removes a membership, and nothing else. */
export const removeMember = (group_id: string, contact_id: string) =>
  client.send(
    new DeleteCommand({ TableName: env('TABLE_NAME'), Key: membershipKey(contact_id, group_id) }),
  );

/** Marks a membership as the purge worker does after the group is deleted. */
export const markGroupDeleted = (group_id: string, contact_id: string) =>
  client.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: membershipKey(contact_id, group_id),
      UpdateExpression: 'SET is_group_deleted = :true',
      ExpressionAttributeValues: { ':true': true },
    }),
  );
