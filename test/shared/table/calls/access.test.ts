import { describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../../../shared/clock.ts';
import { env } from '../../../../shared/env.ts';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import { getItem, getItems, transact } from '../../../../shared/table/calls/access.ts';
import { existsCondition } from '../../../../shared/table/calls/expressions.ts';
import { putAll } from '../../../support/seeds/seed-conversations.ts';
import { interceptHttp } from '../../../support/table/http-hooks.ts';
import '../../../support/setup/use-table.ts';

const keysOf = (pk: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ pk, sk: String(n).padStart(3, '0') }));

const sortKeys = (items: Record<string, unknown>[]) => items.map(({ sk }) => sk).sort();

const Batch = v.pipe(v.string(), v.parseJson(), v.object({ RequestItems: v.unknown() }));

describe('Reads of many keys', () => {
  test('make one call per hundred keys', async () => {
    const keys = keysOf('many', 201);
    await putAll(keys);
    resetUsage();
    expect(sortKeys(await getItems(keys))).toEqual(keys.map(({ sk }) => sk));
    expect(usage.table_calls).toBe(3);
  });

  test('return whole items or only the requested attributes, even if an attribute name is a reserved word', async () => {
    const key = { pk: 'whole', sk: '0' };
    const whole = { ...key, status: 'open', size: 3, text: 'x' };
    await putAll([whole]);
    expect(await getItems([key])).toEqual([whole]);
    // `status` and `size` are reserved words in DynamoDB.
    const attributes = ['status', 'size', 'none'];
    expect(await getItems([key], { attributes })).toEqual([{ status: 'open', size: 3 }]);
  });

  test('retry unprocessed keys up to five times, and then throw an `unavailable` error', async () => {
    const keys = keysOf('left', 3);
    await putAll(keys);
    const getWithUnprocessedKeys = (times: number) => {
      let calls = 0;
      const hook = interceptHttp(async ({ body }, proceed) => {
        calls += 1;
        if (calls > times) return proceed();
        const { RequestItems: UnprocessedKeys } = v.parse(Batch, body);
        return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys }) };
      });
      return getItems(keys).finally(hook.remove);
    };
    expect(sortKeys(await getWithUnprocessedKeys(5))).toEqual(keys.map(({ sk }) => sk));
    await expect(getWithUnprocessedKeys(6)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('retry immediately if the table processes some keys, and otherwise after a growing pause', async () => {
    const keys = keysOf('throttled', 3);
    await putAll(keys);
    const pauses = jest.spyOn(clock, 'sleep').mockResolvedValue();
    const marshalledKeys = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    const unprocessed = [
      marshalledKeys,
      marshalledKeys,
      marshalledKeys.slice(1),
      marshalledKeys.slice(1),
      [],
    ];
    const hook = interceptHttp(async () => {
      const UnprocessedKeys = { [env('TABLE_NAME')]: { Keys: unprocessed.shift() } };
      return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys }) };
    });
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    await getItems(keys).finally(hook.remove);
    expect(unprocessed).toEqual([]);
    expect(pauses.mock.calls).toEqual([[20], [30], [50]]);
    pauses.mockRestore();
  });
});

describe('A transaction', () => {
  const key = { pk: 'writes', sk: '0' };
  const other = { pk: 'writes', sk: '1' };
  const storedKey = { pk: 'writes', sk: '2' };
  const check = { check: { Key: storedKey, ConditionExpression: existsCondition } };

  test('has no effect if a condition fails, and returns each condition’s outcome and the conflicting item', async () => {
    await putAll([{ ...key, text: 'x' }, storedKey]);
    expect(await transact([{ put: { ...key, text: 'y' } }])).toEqual({
      done: false,
      outcomes: [{ isSatisfied: false, found: { ...key, text: 'x' } }],
    });
    expect(await transact([check, { put: other }, { put: key }])).toEqual({
      done: false,
      outcomes: [
        { isSatisfied: true, found: undefined },
        { isSatisfied: true, found: undefined },
        { isSatisfied: false, found: { ...key, text: 'x' } },
      ],
    });
    expect(await getItem(other)).toBeUndefined();
  });

  test('replaces an existing item only if the item has expired by `replaceIfExpiredAt`', async () => {
    const existing = { pk: 'writes', sk: 'kept', expires_at: 100 };
    await putAll([existing]);
    const put = { ...existing, expires_at: 200 };
    const failure = { done: false, outcomes: [{ isSatisfied: false, found: existing }] };
    expect(await transact([{ put }])).toEqual(failure);
    expect(await transact([{ put, replaceIfExpiredAt: 99 }])).toEqual(failure);
    expect(await transact([{ put, replaceIfExpiredAt: 100 }])).toEqual({
      done: true,
      outcomes: [],
    });
    expect(await getItem({ pk: existing.pk, sk: existing.sk })).toEqual(put);
  });

  test('throws DynamoDB’s error if a write is invalid, instead of reporting a failed condition', async () => {
    // Simulates DynamoDB's reply, because DynamoDB Local reports the error for the whole
    // transaction instead of for the write.
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ValidationError' }];
    const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
    const reply = { status: 400, body: JSON.stringify({ __type, CancellationReasons }) };
    const hook = interceptHttp(async () => reply);
    const writing = transact([check, { put: other }]).finally(hook.remove);
    await expect(writing).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  });
});
