import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cloud } from '../../lib/local/cloud.ts';
import type { OnTableCall, TableCall } from '../../lib/local/table-proxy.ts';
import { localService } from '../../lib/running/stage.ts';
import { createConversation, listMessages, sendMessage } from '../../shared/contract/operations.ts';
import { newConversationId } from '../../shared/ids.ts';
import { conversationKey } from '../../shared/table/keys.ts';
import type { Tombstone } from '../../shared/table/tombstone.ts';
import { call, send } from '../acceptance/support/api.ts';
import { until } from '../lib/local/until.ts';

const hour = 60 * 60 * 1000;

/** What the functions do only when something is slow or late: no story over HTTP alone can bring it about. */
export function rareCalls(): {
  onTableCall: OnTableCall;
  provoke(cloud: Cloud, calls: readonly TableCall[]): Promise<void>;
} {
  let putsAreHeld: Promise<void> | undefined;
  return {
    onTableCall: async ({ functionId, operation }) => {
      if (functionId.startsWith('MessagesSend') && operation === 'PutItem') await putsAreHeld;
      return undefined;
    },
    provoke: async (cloud, calls) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      putsAreHeld = promise;
      await readAboveSlowSender(cloud, resolve);
      await purgeAndPutOff(cloud, (functionId, operation) =>
        calls.some((one) => one.functionId.startsWith(functionId) && one.operation === operation),
      );
    },
  };
}

/**
 * A message has its place but is not there yet, and somebody reads the next one: the place is marked as empty. The next
 * one comes with an Idempotency-Key: it is put by a transaction, which is not held up.
 */
async function readAboveSlowSender(cloud: Cloud, letGo: () => void): Promise<void> {
  Object.assign(process.env, { API_URL: cloud.url });
  const ann = { id: 'ann', token: await cloud.token('ann') };
  const { id } = await call(ann, createConversation, { body: { contact_id: 'ann' } });
  const slow = send(ann, sendMessage, { body: { conversation_id: id, message: 'I am slow' } });
  await new Promise((done) => setTimeout(done, 500));
  await call(ann, sendMessage, {
    body: { conversation_id: id, message: 'I am not' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
  await call(ann, listMessages, { query: { conversation_id: id } });
  letGo();
  await (await slow).arrayBuffer();
}

/** A conversation that was deleted long ago, and one that was deleted only later by the worker's own clock. */
async function purgeAndPutOff(
  cloud: Cloud,
  hasCalled: (functionId: string, operation: string) => boolean,
): Promise<void> {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(localService(cloud.tableEndpoint)));
  const TableName = cloud.tableName;
  const now = Date.now();
  const [past, future] = [newConversationId(now - hour), newConversationId(now)];
  for (const [id, deleted_at] of [
    [past, now - hour],
    [future, now + hour],
  ] as const) {
    const tombstone: Tombstone = { deleted_at, deletion: id };
    await table.send(new PutCommand({ TableName, Item: { ...conversationKey(id), ...tombstone } }));
  }
  await until(() => hasCalled('Purge', 'BatchWriteItem') && hasCalled('Purge', 'UpdateItem'));
  await table.send(new DeleteCommand({ TableName, Key: conversationKey(future) }));
  table.destroy();
}
