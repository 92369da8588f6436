import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import { type Cloud, type CloudOptions, startCloud } from '../../local-cloud/cloud.ts';
import type { TableCall } from '../../local-cloud/table/table-proxy.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import {
  createApi,
  createAssembly,
  createFunction,
  createTable,
  methodProperties,
  temporaryFolder,
} from './small-stack.ts';

/**
 * Source of `call`, which sends a table request as the SDK does, and returns the reply's status and
 * body.
 */
const callTable = `
const { request } = require('node:http');
const call = (operation, body) => new Promise((resolve, reject) => {
  const key = process.env.AWS_ACCESS_KEY_ID;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.' + operation,
    authorization: 'AWS4-HMAC-SHA256 Credential=' + key + '/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
  };
  const sent = request(process.env.AWS_ENDPOINT_URL_DYNAMODB, { method: 'POST', headers }, (response) => {
    let text = '';
    response.on('data', (part) => { text += part; });
    response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
  });
  sent.on('error', reject);
  sent.end(JSON.stringify({ TableName: process.env.TABLE_NAME, ...body }));
});`;

/** Timeout of functions in seconds. Every event takes less time, even on a busy machine. */
const Timeout = 120;
const TimeoutInMillis = 600_000;
const withTable = { Environment: { Variables: { TABLE_NAME: { Ref: 'Things' } } }, Timeout };
const allows = (action: string, Resource: unknown) => ({
  Effect: 'Allow',
  Action: action,
  Resource,
});
const tableArn = { 'Fn::GetAtt': ['Things', 'Arn'] };
const streamArn = { 'Fn::GetAtt': ['Things', 'StreamArn'] };

const assembly = (folder: string, table = createTable('Things')) =>
  createAssembly(folder, {
    ...table,
    ...createApi({
      'PUT /things/{id}': methodProperties('Put', { TimeoutInMillis }),
      'GET /things/{id}': methodProperties('Get', { TimeoutInMillis }),
    }),
    ...createFunction(
      folder,
      'Put',
      `${callTable}
      exports.handler = async ({ pathParameters: { id }, body }) => {
        const reply = await call('PutItem', { Item: { pk: { S: id }, note: { S: body } } });
        return { statusCode: reply.status, body: JSON.stringify(reply.body) };
      };`,
      withTable,
      [allows('dynamodb:PutItem', tableArn)],
    ),
    ...createFunction(
      folder,
      'Get',
      `${callTable}
      exports.handler = async ({ pathParameters: { id }, queryStringParameters: query }) => {
        const reply = await call(query?.operation ?? 'GetItem', { Key: { pk: { S: id } } });
        return { statusCode: reply.status, body: JSON.stringify(reply.body) };
      };`,
      withTable,
      [allows('dynamodb:GetItem', tableArn)],
    ),
  });

const withWorker = (folder: string) => {
  const { template, ...rest } = assembly(folder);
  const worker = createAssembly(folder, {
    ...createFunction(
      folder,
      'Worker',
      `exports.handler = async ({ Records }) => {
        for (const { dynamodb } of Records) {
          if (dynamodb.Keys.pk.S.startsWith('bad')) throw new Error('bad');
          console.log(JSON.stringify(dynamodb.NewImage));
        }
      };`,
      { Timeout },
      [
        allows('dynamodb:*Stream', streamArn),
        allows('dynamodb:Get*', streamArn),
        allows('sqs:SendMessage', { 'Fn::GetAtt': ['Failures', 'Arn'] }),
      ],
    ),
    Failures: { Type: 'AWS::SQS::Queue' },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: streamArn,
        FunctionName: { Ref: 'Worker' },
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 1,
        FilterCriteria: {
          Filters: [
            {
              Pattern:
                '{"dynamodb":{"NewImage":{"note":{"S":["x","hello","one",{"prefix":"t"}]}}}}',
            },
          ],
        },
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Failures', 'Arn'] } } },
      },
    },
  });
  return {
    ...rest,
    template: { ...template, Resources: { ...template.Resources, ...worker.template.Resources } },
  };
};

const clouds: Cloud[] = [];
const start = async (options: Partial<CloudOptions>) => {
  const dataDirectory = temporaryFolder();
  const cloud = await startCloud({ port: 0, dataDirectory, inMemory: true, ...options });
  clouds.push(cloud);
  return cloud;
};
afterAll(() => Promise.all(clouds.map((cloud) => cloud.stop())));

const put = async ({ url }: Cloud, id: string, note = 'x') =>
  (await fetch(`${url}/things/${id}`, { method: 'PUT', body: note })).status;
/**
 * Writes the items with one transaction, so that the stream receives all changes at the same time.
 */
async function putAtOnce({ tableEndpoint, tableName: TableName }: Cloud, ids: readonly string[]) {
  const client = new DynamoDBClient(toLocalServiceConfig(tableEndpoint));
  const TransactItems = ids.map((id) => ({
    Put: { TableName, Item: { pk: { S: id }, note: { S: 'x' } } },
  }));
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
  client.destroy();
}
const get = async ({ url }: Cloud, path: string): Promise<unknown> =>
  (await fetch(`${url}/things/${path}`)).json();

describe('a running stack', () => {
  const calls: TableCall[] = [];
  const printed: string[] = [];
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await start({
      assembly: withWorker(temporaryFolder()),
      log: (line) => printed.push(line),
      onTableCall: (call) => {
        calls.push(call);
        return undefined;
      },
    });
  });

  test('serves API requests through its functions and its table', async () => {
    calls.length = 0;
    expect(await put(cloud, 'a', 'hello')).toBe(200);
    expect(await get(cloud, 'a')).toEqual({ Item: { pk: { S: 'a' }, note: { S: 'hello' } } });
    expect(calls.map(({ functionId, operation }) => [functionId, operation])).toEqual([
      ['Put', 'PutItem'],
      ['Get', 'GetItem'],
    ]);
  });

  test("denies calls that a function's role does not allow", async () => {
    await put(cloud, 'a', 'hello');
    expect(await get(cloud, 'a?operation=DeleteItem')).toMatchObject({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message: expect.stringContaining(
        'assumed-role/small-GetRole/small-Get is not authorized to perform: dynamodb:DeleteItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/small-Things',
      ),
    });
    expect(await get(cloud, 'a')).toMatchObject({ Item: {} });
  });

  test('invokes its worker with changes that match the filter, and sends abandoned changes to the failure queue', async () => {
    for (const [id, note] of [
      ['a', 'hello'],
      ['b', 'one'],
      ['c', 'quiet'],
      ['bad', 'two'],
      ['d', 'three'],
    ] as const) {
      await put(cloud, id, note);
    }
    await waitUntil(() => printed.some((line) => line.includes('three')));
    // The changes of a failed batch are delivered again.
    expect(new Set(printed.filter((line) => line.startsWith('[Worker] {')))).toEqual(
      new Set([
        '[Worker] {"note":{"S":"hello"},"pk":{"S":"a"}}',
        '[Worker] {"note":{"S":"one"},"pk":{"S":"b"}}',
        '[Worker] {"note":{"S":"three"},"pk":{"S":"d"}}',
      ]),
    );
    expect(cloud.queues.get('Failures')).toMatchObject([
      {
        requestContext: {
          functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:small-Worker',
          condition: 'RetryAttemptsExhausted',
        },
        DDBStreamBatchInfo: { batchSize: 1 },
      },
    ]);
  });
});

test('an event source mapping with a batching window delivers a full batch immediately, and remaining records when the window ends', async () => {
  const folder = temporaryFolder();
  const { template, ...rest } = withWorker(folder);
  const { Mapping } = template.Resources;
  const withWindow = (MaximumBatchingWindowInSeconds: number) => ({
    Type: Mapping?.Type ?? '',
    Properties: { ...Mapping?.Properties, BatchSize: 4, MaximumBatchingWindowInSeconds },
  });
  const worker = createFunction(
    folder,
    'Worker',
    'exports.handler = async ({ Records }) => console.log("together", Records.length);',
    { Timeout },
  );
  Object.assign(template.Resources, {
    Worker: { ...template.Resources.Worker, ...worker.Worker },
    Mapping: withWindow(3),
    // This window ends after the test.
    LongMapping: withWindow(300),
  });
  const printed: string[] = [];
  const cloud = await start({
    assembly: { ...rest, template },
    log: (line) => printed.push(line),
  });
  const batches = () => printed.filter((line) => line.includes('together'));
  const writtenAt = performance.now();
  await putAtOnce(cloud, ['a', 'b', 'c', 'd', 'e', 'f']);
  await waitUntil(() => batches().length >= 3);
  expect(performance.now() - writtenAt).toBeGreaterThan(2900);
  const full = '[Worker] together 4';
  // On a busy machine, the lines may be in any order.
  expect(batches().sort()).toEqual(['[Worker] together 2', full, full]);
});

describe('A data folder', () => {
  const folder = temporaryFolder();
  let dataDirectory: string;
  let onDisk: { dataDirectory: string; inMemory: false; assembly: ReturnType<typeof assembly> };
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-cloud-'));
    onDisk = { dataDirectory, inMemory: false, assembly: assembly(folder) };
  });
  afterEach(() => rm(dataDirectory, { recursive: true }));

  test('is reported as new until the first write, retains items across restarts, and is locked by one local cloud at a time', async () => {
    for (const _ of ['interrupted', 'again']) {
      const empty = await start(onDisk);
      expect(empty.newData).toBe(true);
      await empty.stop();
    }
    const first = await start(onDisk);
    expect([first.newData, await put(first, 'a', 'kept')]).toEqual([true, 200]);
    await first.stop();
    const second = await start(onDisk);
    expect(second.newData).toBe(false);
    await expect(start(onDisk)).rejects.toThrow(`Another local cloud is using ${dataDirectory}`);
    expect(await get(second, 'a')).toMatchObject({ Item: { note: { S: 'kept' } } });
    await second.stop();
  });

  test('is rejected and left unchanged if the stack has different indexes', async () => {
    const first = await start(onDisk);
    await put(first, 'a', 'kept');
    await first.stop();
    const table = createTable('Things', {
      GlobalSecondaryIndexes: [],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    });
    await expect(start({ ...onDisk, assembly: assembly(folder, table) })).rejects.toThrow(
      `The stored table differs from the stack in indexes and key attributes: delete ${join(dataDirectory, 'table')}, or start with --data OTHER or --in-memory.`,
    );
    const cloud = await start(onDisk);
    expect(await get(cloud, 'a')).toMatchObject({ Item: { note: { S: 'kept' } } });
    await cloud.stop();
  });
});

test('a stack with an unsupported resource is rejected with an error that names the resource type', async () => {
  const { template, ...rest } = assembly(temporaryFolder());
  const Resources = {
    ...template.Resources,
    Machine: { Type: 'AWS::StepFunctions::StateMachine', Properties: {} },
  };
  await expect(
    start({ assembly: { ...rest, template: { ...template, Resources } } }),
  ).rejects.toThrow('Unknown resource type AWS::StepFunctions::StateMachine');
});
