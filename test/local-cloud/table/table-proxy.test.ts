import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTable } from '../../../local-cloud/table/create-table.ts';
import {
  startTableProxy,
  type TableCall,
  type TableFault,
  type TableProxy,
} from '../../../local-cloud/table/table-proxy.ts';
import { env } from '../../../shared/env.ts';
import { createAssembly, createTable as createTableResource } from '../small-stack.ts';

const TableName = 'local-Things';
const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
const calls: TableCall[] = [];
let fault: TableFault | undefined;
let proxy: TableProxy;

const clientAt = (endpoint: string, accessKeyId: string) =>
  new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeAll(async () => {
  const endpoint = env('AWS_ENDPOINT_URL_DYNAMODB');
  await createTable(
    clientAt(endpoint, 'READER'),
    createAssembly('', createTableResource('Things')).template,
  );
  const session = 'arn:aws:sts::000000000000:assumed-role/R/Reader';
  const decide = (action: string, _: string, keys: readonly string[] = []) =>
    ['dynamodb:GetItem', 'dynamodb:PutItem'].includes(action) && !keys.includes('secret')
      ? 'allow'
      : 'no policy allows it';
  proxy = await startTableProxy({
    endpoint,
    callers: new Map([['READER', { functionId: 'Reader', session, decide }]]),
    partitionKeys: new Map([[table, 'pk']]),
    checkLimits: (_, body) => (JSON.stringify(body).includes('wrong') ? 'It is wrong.' : undefined),
    onCall: async (call) => {
      calls.push(call);
      return fault;
    },
  });
});
afterAll(() => proxy.stop());
beforeEach(() => {
  calls.length = 0;
  fault = undefined;
});

const put = new PutItemCommand({ TableName, Item: { pk: { S: 'a' } } });
const get = new GetItemCommand({ TableName, Key: { pk: { S: 'a' } }, ConsistentRead: true });

describe('the table proxy', () => {
  test('forwards calls that the policy allows', async () => {
    const client = clientAt(proxy.endpoint, 'READER');
    await client.send(put);
    expect((await client.send(get)).Item).toEqual({ pk: { S: 'a' } });
    expect(calls).toEqual([
      {
        functionId: 'Reader',
        operation: 'PutItem',
        permissions: [{ action: 'dynamodb:PutItem', resource: table, leadingKeys: ['a'] }],
        allowed: true,
      },
      {
        functionId: 'Reader',
        operation: 'GetItem',
        permissions: [{ action: 'dynamodb:GetItem', resource: table, leadingKeys: ['a'] }],
        allowed: true,
      },
    ]);
  });

  test('refuses calls that the policy does not allow, with AWS’s error message', async () => {
    const keys = { RequestItems: { [TableName]: { Keys: [{ pk: { S: 'a' } }] } } };
    await expect(
      clientAt(proxy.endpoint, 'READER').send(new BatchGetItemCommand(keys)),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `User: arn:aws:sts::000000000000:assumed-role/R/Reader is not authorized to perform: dynamodb:BatchGetItem on resource: ${table} because no identity-based policy allows the dynamodb:BatchGetItem action`,
      $metadata: { httpStatusCode: 400 },
    });
    expect(calls).toMatchObject([{ operation: 'BatchGetItem', allowed: false }]);
  });

  test('refuses calls on partitions that the policy does not allow', async () => {
    const secret = new GetItemCommand({ TableName, Key: { pk: { S: 'secret' } } });
    await expect(clientAt(proxy.endpoint, 'READER').send(secret)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    expect(calls).toMatchObject([{ permissions: [{ leadingKeys: ['secret'] }], allowed: false }]);
  });

  test('refuses a transaction if the caller lacks permission for one of its operations', async () => {
    const Key = { pk: { S: 'b' } };
    const TransactItems = [
      { Put: { TableName, Item: { pk: { S: 'a' } } } },
      { Delete: { TableName, Key } },
    ];
    const client = clientAt(proxy.endpoint, 'READER');
    await expect(client.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toThrow(
      'not authorized to perform: dynamodb:DeleteItem',
    );
  });

  test('rejects calls that exceed DynamoDB’s limits', async () => {
    const client = clientAt(proxy.endpoint, 'READER');
    const wrong = new PutItemCommand({ TableName, Item: { pk: { S: 'wrong' } } });
    await expect(client.send(wrong)).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'It is wrong.',
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('rejects unknown access keys', async () => {
    await expect(clientAt(proxy.endpoint, 'UNKNOWN').send(get)).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
  });
});

describe('when faults are injected,', () => {
  const item = async () =>
    (await clientAt(env('AWS_ENDPOINT_URL_DYNAMODB'), 'READER').send(get)).Item;
  const putOf = (note: string) =>
    new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, note: { S: note } } });

  test('a throttled call is not executed', async () => {
    fault = 'throttle';
    const client = clientAt(proxy.endpoint, 'READER');
    await expect(client.send(putOf('throttled'))).rejects.toMatchObject({
      name: 'ThrottlingException',
    });
    expect((await item())?.note).not.toEqual({ S: 'throttled' });
  });

  test('a lost request is not executed', async () => {
    fault = 'lose request';
    await expect(clientAt(proxy.endpoint, 'READER').send(putOf('lost'))).rejects.toThrow(
      'socket hang up',
    );
    expect((await item())?.note).not.toEqual({ S: 'lost' });
  });

  test('a call is executed even if its reply is lost', async () => {
    fault = 'lose reply';
    await expect(clientAt(proxy.endpoint, 'READER').send(putOf('done'))).rejects.toThrow(
      'socket hang up',
    );
    expect((await item())?.note).toEqual({ S: 'done' });
  });

  test('a hanging table never replies', async () => {
    fault = 'hang';
    const abortSignal = AbortSignal.timeout(100);
    await expect(
      clientAt(proxy.endpoint, 'READER').send(get, { abortSignal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});
