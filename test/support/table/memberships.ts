import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../../shared/clock.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import { env } from '../../../shared/env.ts';
import { newGroupId } from '../../../shared/ids.ts';
import { client } from '../../../shared/table/calls/client.ts';
import { toStoredMembership } from '../../../shared/table/groups/group-writes.ts';
import { membershipKey } from '../../../shared/table/keys/group-keys.ts';

/** Returns the id of a user group with these members, of which no group item exists. */
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
