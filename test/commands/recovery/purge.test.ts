import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { TableFault } from '../../../local-cloud/table/table-proxy.ts';
import { env } from '../../../shared/env.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';
import { raiseTimeouts } from '../../support/processes/raise-timeouts.ts';
import { terminalEnvironment } from '../../support/processes/run-command.ts';
import { startTestCloud } from '../../support/processes/start-test-cloud.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';
import { thoroughTest } from '../../support/setup/sample-size.ts';

const Created = v.object({ id: v.string() });
const dataDirectory = temporaryFolder();

let cloud: Cloud;
let table: DynamoDBDocumentClient;
let headers: Record<string, string>;
/** The fault to inject into the purge worker's table calls, if any. */
let fault: TableFault | undefined;

beforeAll(async () => {
  cloud = await startTestCloud({
    dataDirectory,
    assembly: await assembly(),
    onTableCall: ({ functionId }) => (functionId.startsWith('Purge') ? fault : undefined),
  });
  table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(cloud.tableEndpoint)),
  );
  headers = { Authorization: `Bearer ${await cloud.token('ann')}` };
});
afterAll(async () => {
  table.destroy();
  await cloud.stop();
});

/**
 * Returns the deployed stack with a shorter batching window and fewer retries for the purge worker.
 */
async function assembly() {
  const read = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
  for (const [id, { Properties }] of Object.entries(read.template.Resources)) {
    if (!id.startsWith('Purge') || !('StartingPosition' in Properties)) continue;
    Object.assign(Properties, { MaximumRetryAttempts: 1, MaximumBatchingWindowInSeconds: 1 });
  }
  return read;
}

const post = async (path: string, body: object): Promise<string> => {
  const response = await fetch(`${cloud.url}/v1/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ ...body }),
  });
  return v.parse(Created, await response.json()).id;
};

async function conversationWith(messages: number): Promise<string> {
  const id = await post('conversations', { contact_id: 'bob' });
  for (let n = 0; n < messages; n++) await post('messages', { conversation_id: id, message: 'Hi' });
  return id;
}

async function deleteConversation(id: string): Promise<void> {
  const address = `${cloud.url}/v1/conversations/${id}`;
  expect((await fetch(address, { method: 'DELETE', headers })).status).toBe(200);
  expect((await fetch(address, { headers })).status).toBe(404);
}

/** Backdates the deletion by one minute so that the worker does not wait. */
const setDeletionBack = (id: string) =>
  table.send(
    new UpdateCommand({
      TableName: cloud.tableName,
      Key: conversationKey(id),
      UpdateExpression: 'SET deleted_at = deleted_at - :minute',
      ExpressionAttributeValues: { ':minute': 60_000 },
    }),
  );

async function readPartition(id: string): Promise<unknown[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: cloud.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': conversationKey(id).pk },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ sk }) => sk);
}

const run = promisify(execFile);
const redrive = async () => {
  const command = [join(import.meta.dirname, '../../../bin/redrive.ts'), '--data', dataDirectory];
  return (await run(process.execPath, command, { env: terminalEnvironment() })).stdout;
};

const failures = () => [...cloud.queues].find(([id]) => id.startsWith('PurgeFailures'))?.[1].length;

describe('A deleted conversation', () => {
  test('is emptied by the worker that the table’s stream invokes, and other conversations stay unchanged', async () => {
    const [deleted, other] = [await conversationWith(5), await conversationWith(2)];
    await deleteConversation(deleted);
    await setDeletionBack(deleted);
    await waitUntil(async () => (await readPartition(deleted)).length === 0);
    expect(await readPartition(other)).toHaveLength(3);
    expect(failures()).toBe(0);
  });

  thoroughTest(
    'enters the failure queue if the worker cannot purge it, and `redrive` purges it',
    async () => {
      const [one, two] = [await conversationWith(3), await conversationWith(3)];
      fault = 'throttle';
      await deleteConversation(one);
      await deleteConversation(two);
      await waitUntil(() => failures() === 2);
      // Backdates the deletions only after the failures, because the worker handles only an item's
      // last change in a batch.
      await setDeletionBack(one);
      await setDeletionBack(two);
      await waitUntil(() => failures() === 4);
      expect(
        [await readPartition(one), await readPartition(two)].map(({ length }) => length),
      ).toEqual([4, 4]);
      fault = undefined;

      const output = await redrive();

      expect(output.replace(/deleted at \S+Z/, 'deleted at TIME')).toBe(
        "Sent to the purge worker again: 2 deleted conversations and groups, the first deleted at TIME\nFailed events removed from the purge worker's queue: 4\n",
      );
      expect(failures()).toBe(0);
      for (const id of [one, two])
        await waitUntil(async () => (await readPartition(id)).length === 0);
      expect(await redrive()).toBe(
        "Sent to the purge worker again: 0 deleted conversations and groups\nFailed events removed from the purge worker's queue: 0\n",
      );
    },
  );
});
