import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { newConversationId, newGroupId } from '../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import type { GroupTombstone } from '../../../shared/table/groups/group-tombstone.ts';
import { toStoredMembership } from '../../../shared/table/groups/group-writes.ts';
import { groupKey } from '../../../shared/table/keys/group-keys.ts';
import { waitUntil } from './wait-until.ts';

const hour = 60 * 60 * 1000;

/**
 * Deletes a group whose memberships ended an hour ago, which the purge worker removes at once, and
 * one whose membership it ends first.
 */
export async function purgeGroups({ tableEndpoint, tableName: TableName }: Cloud): Promise<void> {
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const now = Date.now();
  const read = async (id: string) =>
    (await table.send(new GetCommand({ TableName, Key: { ...groupKey(id) } }))).Item;
  const deleteGroup = async (ended_at: number | undefined): Promise<string> => {
    const group_id = newGroupId(now);
    const membership = { group_id, contact_id: 'nora', role: 'owner', joined_at: now } as const;
    const tombstone: GroupTombstone = {
      ...{ deleted_at: now - hour, member_count: 1 },
      ...(ended_at !== undefined && { ended_at }),
    };
    const conversation = newConversation(newConversationId(now), 'nora', { group_id });
    for (const Item of [
      toStoredMembership(membership),
      toStoredConversation(conversation),
      { ...groupKey(group_id), ...tombstone },
    ])
      await table.send(new PutCommand({ TableName, Item }));
    return group_id;
  };
  const past = await deleteGroup(now - hour);
  await waitUntil(async () => (await read(past)) === undefined);
  const present = await deleteGroup(undefined);
  await waitUntil(async () => (await read(present))?.ended_at !== undefined);
  // Otherwise the worker would wait for two minutes.
  await table.send(new DeleteCommand({ TableName, Key: { ...groupKey(present) } }));
  table.destroy();
}
