import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { Problem } from '../../../lib/problem.ts';
import {
  createConversation,
  deleteConversation,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { tableKey } from '../../../shared/table/keys/names.ts';
import { callOperation } from '../../api/call-operation.ts';
import { openStageTable, type StageTable } from '../../stage/stage-table.ts';
import { type BackgroundChecks, type Check, requireValue } from '../target/check.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

const maxWaitMilliseconds = 6 * 60_000;

/**
 * Creates and deletes a conversation first, so that other checks run during the minute or two
 * before its purge starts. The returned check waits up to six minutes for the purge to end.
 */
export function purgeCheck(target: VerifyTarget): BackgroundChecks {
  const deletion = deleteConversationOnce(target);
  const check: Check = {
    name: 'Purge: no item of a deleted conversation remains',
    expected: '0 items in its partition, within six minutes',
    cure: 'see docs/runbook.md#purge-errors; npm run redrive restarts the purge',
    run: async () => {
      const { id, since, table } = await deletion;
      for (;;) {
        const items = await countItems(table, id);
        const seconds = Math.round((Date.now() - since) / 1000);
        if (items === 0) return `0 items, ${seconds} s after the deletion`;
        if (Date.now() - since > maxWaitMilliseconds) {
          throw new Problem(`${items} items, ${seconds} s after the deletion`);
        }
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    },
  };
  return { checks: [check], finished: Promise.allSettled([deletion]) };
}

async function deleteConversationOnce(target: VerifyTarget) {
  const table = openStageTable(requireValue(target.running, noServicesReason));
  const { ANN, BOB } = requireValue(target.users, getNoUsersReason(target)).all;
  const { id } = (
    await callOperation(target.url, ANN, createConversation, { body: { contact_id: BOB.id } })
  ).reply;
  for (const message of ['one', 'two', 'three']) {
    await callOperation(target.url, ANN, sendMessage, { body: { conversation_id: id, message } });
  }
  if ((await countItems(table, id)) < 4) throw new Problem('its partition has fewer than 4 items');
  await callOperation(target.url, ANN, deleteConversation, { path: { conversation_id: id } });
  return { id, since: Date.now(), table };
}

async function countItems({ client, name }: StageTable, id: string): Promise<number> {
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      ConsistentRead: true,
      Select: 'COUNT',
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': tableKey.partition },
      ExpressionAttributeValues: { ':partition': conversationKey(id).pk },
    },
  );
  let items = 0;
  for await (const { Count = 0 } of pages) items += Count;
  return items;
}
