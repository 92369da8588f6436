import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createTable } from '../../../local-cloud/table/create-table.ts';
import { createLimitCheck } from '../../../local-cloud/table/limit-check.ts';
import { createAssembly, createTable as createTableResource } from '../small-stack.ts';

const TableName = 'local-Things';
const { template } = createAssembly('', createTableResource('Things'));
const refusalOf = createLimitCheck(readStack('local', template));

const text = (length: number) => ({ S: 'x'.repeat(length) });
const key = (id: string | number) => ({ pk: { S: `${id}` } });
const times = <Result>(count: number, make: (n: number) => Result) =>
  Array.from({ length: count }, (_, n) => make(n));
const aPut = (id: string | number) => ({
  Put: { TableName, Item: { ...key(id), other: { S: `${id}` } } },
});
const aDeletion = (id: string | number) => ({ Delete: { TableName, Key: key(id) } });
const aCheck = (id: string | number) => ({
  ConditionCheck: { TableName, Key: key(id), ConditionExpression: 'attribute_exists(pk)' },
});

describe('Like DynamoDB and unlike DynamoDB Local, the proxy rejects', () => {
  const refusal = (operation: string, body: unknown) => refusalOf(operation, body) ?? 'none';

  test('a transaction with two operations of any kind on one item', () => {
    const transaction = (...TransactItems: object[]) =>
      refusal('TransactWriteItems', { TransactItems });
    expect(transaction(aPut(1), aDeletion(2), aCheck(3))).toBe('none');
    const duplicate = 'Transaction request cannot include multiple operations on one item';
    expect(transaction(aPut(1), aDeletion(2), aCheck(1))).toBe(duplicate);
    expect(transaction(aPut(1), aPut(1))).toBe(duplicate);
  });

  test('a transaction whose items, including stored items, may exceed 4 MB in total', () => {
    const transaction = (deletions: number, puts: number) =>
      refusal('TransactWriteItems', {
        TransactItems: [...times(deletions, aDeletion), ...times(puts, (n) => aPut(deletions + n))],
      });
    const refused = 'The items of the transaction could exceed 4 MB in total';
    // Only a put contains its item. The check assumes that each deleted item is 400 KB.
    expect([transaction(10, 0), transaction(10, 20), transaction(11, 0)]).toEqual([
      'none',
      'none',
      refused,
    ]);
  });

  test('a transaction of 100 items, unless their sort keys imply small items', () => {
    const update = (n: number, sort: string) => ({
      Update: { TableName, Key: { ...key(n), sk: { S: sort } } },
    });
    const transaction = (count: number, sort: string) =>
      refusal('TransactWriteItems', { TransactItems: times(count, (n) => update(n, sort)) });
    expect(transaction(100, 'CONTACT')).toBe('none');
    expect(transaction(100, 'MESSAGE#1')).not.toBe('none');
  });

  test('a query with a partition key longer than 2,048 bytes, on the table or an index', () => {
    const query = (name: string, length: number, IndexName?: string) =>
      refusal('Query', {
        ...{ TableName, IndexName, KeyConditionExpression: `${name} = :p` },
        ExpressionAttributeValues: { ':p': { S: 'é'.repeat(length / 2) } },
      });
    const tooLong = expect.stringContaining('exceeded the maximum size limit');
    expect([query('pk', 2048), query('other', 2048, 'byOther')]).toEqual(['none', 'none']);
    expect([query('pk', 2050), query('other', 2050, 'byOther')]).toEqual([tooLong, tooLong]);
  });
});

describe('DynamoDB Local itself rejects, before it evaluates conditions,', () => {
  const client = new DynamoDBClient({
    credentials: { accessKeyId: 'REFUSALS', secretAccessKey: 'x' },
  });
  beforeAll(async () => {
    await createTable(client, template);
    await client.send(new PutItemCommand({ TableName, Item: { ...key('a'), other: { S: 'a' } } }));
  });

  /** A condition that fails. */
  const ConditionExpression = 'attribute_not_exists(pk)';
  const put = (Item: object) => () =>
    client.send(
      new PutItemCommand({ TableName, Item: { ...key('a'), ...Item }, ConditionExpression }),
    );
  const update = (more: object) => () =>
    client.send(new UpdateItemCommand({ TableName, Key: key('a'), ConditionExpression, ...more }));
  const set = (value: object, name = 'thing') => ({
    ...{ UpdateExpression: `SET ${name} = :value`, ExpressionAttributeValues: { ':value': value } },
  });
  const nested = (levels: number): object =>
    levels === 1 ? { S: 'x' } : { M: { inner: nested(levels - 1) } };
  const query =
    (more: object, values: object = {}) =>
    () =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :p',
          ...more,
          ExpressionAttributeValues: { ':p': { S: 'other' }, ...values },
        }),
      );
  const filter = (operands: number) =>
    query(
      { FilterExpression: `thing IN (${times(operands, (n) => `:n${n}`)})` },
      Object.fromEntries(times(operands, (n) => [`:n${n}`, { N: `${n}` }])),
    );
  const getBatch = (Keys: ReturnType<typeof key>[]) => () =>
    client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }));
  const deleteBatch = (count: number) => () =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: times(count, (n) => ({ DeleteRequest: { Key: key(n) } })) },
      }),
    );
  const transaction = (size: number) => () =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          aCheck('nothing'),
          ...times(11, (n) => ({ Put: { TableName, Item: { ...key(n), thing: text(size) } } })),
        ],
      }),
    );
  const names = 'pk'.length + 'a'.length + 'thing'.length;
  const digits = (count: number) => put({ thing: { N: '1'.repeat(count) } });
  const removing = (UpdateExpression: string, more: object = {}) =>
    update({ UpdateExpression, ...more });
  const ofIndex = {
    IndexName: 'byOther',
    KeyConditionExpression: '#other = :p',
    ExpressionAttributeNames: { '#other': 'other' },
  };

  test.each([
    ['an item over 400 KB', put({ thing: text(409_600 - names) }), put({ thing: text(409_600) })],
    [
      'an update that makes an item exceed 400 KB',
      update(set(text(400_000))),
      update(set(text(409_600))),
    ],
    ['more than 32 levels of nesting', put({ thing: nested(32) }), put({ thing: nested(33) })],
    ['numbers of more than 38 digits', digits(38), digits(39)],
    ['an empty set', update(set({ SS: ['a'] })), update(set({ SS: [] }))],
    ['an empty index key', put({ other: text(1) }), put({ other: text(0) })],
    [
      'an index key of more than 2,048 bytes',
      put({ other: text(2048) }),
      put({ other: text(2049) }),
    ],
    [
      'an expression of more than 4 KB',
      removing(`REMOVE ${'n'.repeat(4089)}`),
      removing(`REMOVE ${'n'.repeat(4090)}`),
    ],
    [
      'an unused expression value',
      update(set(text(1))),
      removing('REMOVE thing', { ExpressionAttributeValues: { ':value': text(1) } }),
    ],
    [
      'overlapping paths in an expression',
      removing('REMOVE thing.a, thing.b'),
      removing('REMOVE thing.a, thing'),
    ],
    ['a reserved word in an expression', update(set(text(1))), update(set(text(1), 'name'))],
    ['more than 100 operands of IN', filter(100), filter(101)],
    ['a query with a limit of 0', query({ Limit: 1 }), query({ Limit: 0 })],
    [
      'a query whose start key is in another partition',
      query({ ExclusiveStartKey: key('other') }),
      query({ ExclusiveStartKey: key('another') }),
    ],
    ['a consistent read of an index', query(ofIndex), query({ ...ofIndex, ConsistentRead: true })],
    ['a duplicate key in a batch', getBatch([key(1), key(2)]), getBatch([key(1), key(1)])],
    ['more than 100 keys in a batch', getBatch(times(100, key)), getBatch(times(101, key))],
    ['more than 25 writes in a batch', deleteBatch(25), deleteBatch(26)],
    ['a transaction of more than 4 MB', transaction(300_000), transaction(400_000)],
  ])('%s', async (_, taken, refused) => {
    const [first, second] = await Promise.all([taken, refused].map(nameOfError));
    expect(first).not.toBe('ValidationException');
    expect(second).toBe('ValidationException');
  });
});

const nameOfError = async (call: () => Promise<unknown>) => {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error instanceof DynamoDBServiceException ? error.name : error;
  }
};
