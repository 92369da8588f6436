import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../shared/clock.ts';
import { beginInvocation } from '../../../../shared/log/invocation.ts';
import { usage } from '../../../../shared/log/usage.ts';
import type { HttpReply, HttpRequest } from '../../../../shared/signing/transport.ts';
import { client } from '../../../../shared/table/calls/table-client.ts';
import { createTableReply } from '../../../support/table/table-reply.ts';

const done = createTableReply(200, {});
const throttled = createTableReply(400, {
  __type: 'a.b#ThrottlingException',
  message: 'slow down',
});

const { transport } = client;
let requests: HttpRequest[];
let pauses: jest.Spied<typeof clock.sleep>;

/** Makes requests return or throw the replies in order, and then repeat the last reply. */
function replyWith(...replies: (HttpReply | Error)[]) {
  client.transport = async (request) => {
    requests.push(request);
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? done;
    if (reply instanceof Error) throw reply;
    return reply;
  };
}

beforeEach(() => {
  requests = [];
  beginInvocation();
  pauses = jest.spyOn(clock, 'sleep').mockResolvedValue();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  client.transport = transport;
  jest.restoreAllMocks();
});

describe('A DynamoDB call', () => {
  test('sends values as DynamoDB JSON, omits undefined values, and returns plain values', async () => {
    const wire = { pk: { S: 'a' }, marks: { SS: ['x'] }, at: { N: '1.5' }, none: { NULL: true } };
    const item = { pk: 'a', marks: new Set(['x']), at: 1.5, none: null };
    replyWith(createTableReply(200, { Items: [wire], LastEvaluatedKey: { pk: { S: 'a' } } }));
    const output = await client.call('Query', {
      ExpressionAttributeValues: { ':item': item },
      ExclusiveStartKey: { pk: 'a', sk: undefined },
      IndexName: undefined,
    });
    expect(output).toMatchObject({ Items: [item], LastEvaluatedKey: { pk: 'a' } });
    expect(JSON.parse(String(requests[0]?.body))).toEqual({
      ExpressionAttributeValues: { ':item': { M: wire } },
      ExclusiveStartKey: { pk: { S: 'a' } },
      ReturnConsumedCapacity: 'TOTAL',
    });
  });

  test('converts keys and items inside batches and transactions', async () => {
    replyWith(done);
    await client.call('BatchGetItem', { RequestItems: { table: { Keys: [{ pk: 'a' }] } } });
    await client.call('TransactWriteItems', {
      TransactItems: [{ Put: { Item: { pk: 'a', Item: { Key: 'b' } } } }],
    });
    expect(requests.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      { RequestItems: { table: { Keys: [{ pk: { S: 'a' } }] } } },
      {
        TransactItems: [{ Put: { Item: { pk: { S: 'a' }, Item: { M: { Key: { S: 'b' } } } } } }],
      },
    ]);
  });

  test.each([
    ['cannot connect', new Error('ECONNRESET')],
    ['fails in DynamoDB', createTableReply(500, { __type: 'InternalServerError' })],
    [
      'was signed with a slow clock',
      createTableReply(400, {
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: 'Signature expired: 20261125T100000Z is now earlier than 20261125T100500Z',
      }),
    ],
    ['receives a reply that is not JSON', createTableReply(503, '<html>')],
  ])('that %s is retried twice, after short pauses', async (_, failure) => {
    replyWith(failure, failure, done);
    await client.call('GetItem', { Key: { pk: 'a' } });
    expect([requests.length, pauses.mock.calls]).toEqual([3, [[50], [100]]]);
  });

  test('that is throttled is retried after longer pauses, and throws after three attempts', async () => {
    replyWith(throttled);
    await expect(client.call('GetItem', { Key: { pk: 'a' } })).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: 'slow down',
      status: 400,
    });
    expect([requests.length, pauses.mock.calls]).toEqual([3, [[250], [500]]]);
  });

  test('whose condition fails is attempted once, and its error contains the stored item', async () => {
    const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
    replyWith(createTableReply(400, { __type, Item: { pk: { S: 'a' } } }));
    await expect(client.call('PutItem', { Item: { pk: 'a' } })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      item: { pk: 'a' },
    });
    expect(requests.length).toBe(1);
  });

  test('adds the read or write units of its last attempt to the usage', async () => {
    const consumed = { ConsumedCapacity: { CapacityUnits: 1.5 } };
    replyWith(throttled, createTableReply(200, consumed));
    await client.call('GetItem', { Key: { pk: 'a' } });
    replyWith(
      createTableReply(200, { ConsumedCapacity: [{ CapacityUnits: 2 }, { CapacityUnits: 3 }] }),
    );
    await client.call('TransactWriteItems', { TransactItems: [] });
    expect(usage).toMatchObject({ read_units: 1.5, write_units: 5 });
  });
});
