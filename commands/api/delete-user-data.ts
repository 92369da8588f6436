import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { deleteConversation, listConversations } from '../../shared/contract/operations.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import { deleteItems } from '../stage/batch-items.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import { openStageTable } from '../stage/stage-table.ts';
import { type ApiUser, callOperation, sendOperation } from './call-operation.ts';

/**
 * Maximum number of rounds of listing and deleting. Lists are eventually consistent, so they may
 * still contain deleted conversations.
 */
const maxListAttempts = 30;

/**
 * Deletes all conversations of test users. Returns the number of deleted conversations. Throws a
 * Problem if listing fails, or if the lists still contain conversations after the last round.
 */
export async function deleteConversations(url: string, users: readonly ApiUser[]): Promise<number> {
  const deleted = new Set<string>();
  for (let round = 0; round < maxListAttempts; round += 1) {
    let listed = 0;
    for (const user of users) {
      const { data } = (
        await callOperation(url, user, listConversations, { query: { limit: '100' } })
      ).reply;
      listed += data.length;
      for (const { id } of data.filter((one) => !deleted.has(one.id))) {
        const path = { conversation_id: id };
        // If this user lacks permission to delete the conversation, another participant among the
        // test users may have permission.
        if ((await sendOperation(url, user, deleteConversation, { path })).status === 200)
          deleted.add(id);
      }
    }
    if (listed === 0) return deleted.size;
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Problem('conversations remain in the lists of the test users');
}

/** Deletes all items in the contact's partition. Returns the number of deleted items. */
export async function deleteContact(running: RunningStage, contactId: string): Promise<number> {
  const table = openStageTable(running);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk',
      ProjectionExpression: '#pk, #sk',
      ExpressionAttributeNames: { '#pk': tableKey.partition, '#sk': tableKey.sort },
      ExpressionAttributeValues: { ':pk': contactKey(contactId).pk },
    },
  );
  let count = 0;
  for await (const { Items = [] } of pages) {
    await deleteItems(table, Items);
    count += Items.length;
  }
  table.client.destroy();
  return count;
}
