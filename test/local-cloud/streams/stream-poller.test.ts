import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, expect, test } from '@jest/globals';
import { createCheckpoints } from '../../../local-cloud/streams/checkpoints.ts';
import { startPoller } from '../../../local-cloud/streams/stream-poller.ts';
import { env } from '../../../shared/env.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';
import { testMapping } from './test-mapping.ts';

const endpoint = env('AWS_ENDPOINT_URL_DYNAMODB');
const client = new DynamoDBClient({ endpoint });
const streams = new DynamoDBStreamsClient({ endpoint });
const tables = ['polled', 'neighbor'];

afterAll(async () => {
  await Promise.all(tables.map((name) => client.send(new DeleteTableCommand({ TableName: name }))));
  client.destroy();
  streams.destroy();
});

async function createTable(TableName: string): Promise<string> {
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  );
  return TableDescription?.LatestStreamArn ?? '';
}

const put = (TableName: string, pk: string) =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk } } }));

test('A poller delivers the first record of a stream and logs nothing while another table changes', async () => {
  const [localArn = ''] = await Promise.all(tables.map(createTable));
  const received: unknown[] = [];
  const printed: string[] = [];
  const poller = startPoller({
    client: streams,
    localArn,
    mapping: testMapping,
    checkpoints: createCheckpoints(undefined),
    process: async (records) => void received.push(...records.map(({ dynamodb }) => dynamodb.Keys)),
    log: (line) => printed.push(line),
  });
  await poller.ready;
  for (const pk of ['1', '2', '3']) await put('neighbor', pk);
  await put('polled', 'first');
  await waitUntil(() => received.length > 0);
  await poller.stop();
  expect({ received, printed }).toEqual({ received: [{ pk: { S: 'first' } }], printed: [] });
});
