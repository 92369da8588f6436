import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { messageOf } from '../../../lib/problem.ts';
import { deleteConversation, listConversations } from '../../../shared/contract/operations.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { tableKey } from '../../../shared/table/keys/names.ts';
import { deleteItems } from '../../stage/batch-items.ts';
import type { RunningStage } from '../../stage/running-stage.ts';
import { openStageTable } from '../../stage/stage-table.ts';
import { callOperation, sendOperation } from '../target/call-operation.ts';
import {
  type Check,
  isDenied,
  NotCheckable,
  requireValue,
  UnexpectedResult,
} from '../target/check.ts';
import type { ScenarioUser } from '../target/scenario-users.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

/** Lists are eventually consistent, so deletions become visible after a short delay. */
const maxListAttempts = 30;

/** Deletes the data of this run's users, then the users. */
export const cleanupCheck = (target: VerifyTarget): Check => ({
  name: 'Cleanup: no data of these users remains',
  expected: 'no conversation, no contact, no user',
  cure: 'delete the remaining data manually: users and groups with the prefix verify-',
  run: async () => {
    const { all, deleteUsers: deletion } = requireValue(target.users, getNoUsersReason(target));
    const deleteUsers = requireValue(
      deletion,
      'ANN, BOB and CAROL are real accounts: their data stays',
    );
    const faults: string[] = [];
    const denials: string[] = [];
    // Continues after a failure.
    const collectFaults = async (step: () => Promise<number>) => {
      try {
        return await step();
      } catch (error) {
        (isDenied(error) ? denials : faults).push(messageOf(error));
        return 0;
      }
    };
    const users = Object.values(all);
    const deleted = await collectFaults(() => deleteConversations(target.url, users));
    let items = 0;
    for (const { id } of target.running ? users : []) {
      items += await collectFaults(() => emptyPartition(target.running, contactKey(id).pk));
    }
    await collectFaults(async () => {
      await deleteUsers();
      return users.length;
    });
    if (faults.length > 0) throw new UnexpectedResult(faults.join('; '));
    if (denials.length > 0) throw new NotCheckable(`some data remains: ${denials.join('; ')}`);
    return `deleted ${deleted} conversations and ${items} items`;
  },
});

/** Returns the number of deleted conversations. Throws if some cannot be deleted. */
async function deleteConversations(url: string, users: readonly ScenarioUser[]): Promise<number> {
  const deleted = new Set<string>();
  for (let round = 0; round < maxListAttempts; round += 1) {
    let listed = 0;
    for (const person of users) {
      const { data } = (
        await callOperation(url, person, listConversations, { query: { limit: '100' } })
      ).reply;
      listed += data.length;
      for (const { id } of data.filter((one) => !deleted.has(one.id))) {
        const path = { conversation_id: id };
        // A participant who may not delete it shares a conversation of another user of this run.
        if ((await sendOperation(url, person, deleteConversation, { path })).status === 200)
          deleted.add(id);
      }
    }
    if (listed === 0) return deleted.size;
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new UnexpectedResult('conversations remain in their lists');
}

/** Deletes the contact and its idempotency records. Returns the number of items. */
async function emptyPartition(running: RunningStage | undefined, pk: string): Promise<number> {
  const table = openStageTable(requireValue(running, noServicesReason));
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk',
      ProjectionExpression: '#pk, #sk',
      ExpressionAttributeNames: { '#pk': tableKey.partition, '#sk': tableKey.sort },
      ExpressionAttributeValues: { ':pk': pk },
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
