import { beforeEach, describe, expect, test } from '@jest/globals';
import { invalidParameter } from '../../../../shared/api-error.ts';
import { getItem, type Write } from '../../../../shared/table/calls/access.ts';
import { absentCondition, existsCondition } from '../../../../shared/table/calls/expressions.ts';
import { runSteps } from '../../../../shared/table/calls/run-steps.ts';
import { recordHttpCalls } from '../../../support/table/http-hooks.ts';
import { putAll } from '../../../support/table/seed-conversations.ts';
import '../../../support/setup/use-table.ts';

const here = { pk: 'steps', sk: 'here' };
const there = { pk: 'steps', sk: 'there' };
beforeEach(async () => {
  await putAll([here, there]);
});

const setting = (Key: typeof here, ConditionExpression: string): Write => ({
  update: {
    Key,
    UpdateExpression: 'SET done = :yes',
    ConditionExpression,
    ExpressionAttributeValues: { ':yes': true },
  },
});
const [right, wrong] = [existsCondition, absentCondition].map((condition) =>
  setting(here, condition),
) as [Write, Write];
const also = setting(there, existsCondition);
const refusal = invalidParameter('pinned_message_id', 'must be there');

describe('The steps of a change', () => {
  test.each<[string, Write[], string]>([
    ['a single update, outside a transaction', [right], 'UpdateItem'],
    ['two updates, in a transaction', [right, also], 'TransactWriteItems'],
    [
      'an update and a check of another item, in a transaction',
      [right, { check: { Key: there, ConditionExpression: existsCondition } }],
      'TransactWriteItems',
    ],
  ])('all succeed: %s', async (_, writes, operation) => {
    const steps = writes.map((write) => ({ write, refusal }));
    const calls = await recordHttpCalls(async () => expect(await runSteps(steps)).toBe(true));
    // A single update is not sent as a transaction, which would cost twice as much.
    expect(calls).toMatchObject([{ operation }]);
    expect(await getItem(here)).toEqual({ ...here, done: true });
  });

  test.each<[string, Write[]]>([
    ['a single update', [wrong]],
    ['the first of two updates', [wrong, also]],
    ['a single check', [{ check: { Key: here, ConditionExpression: absentCondition } }]],
    ['the second of two updates', [also, wrong]],
    ['a single put', [{ put: here }]],
  ])(
    'have no effect, and the failed step’s refusal is thrown, if the condition of %s fails',
    async (_, writes) => {
      expect(await runSteps(writes.map((write) => ({ write })))).toBe(false);
      const refusing = writes.map((write) => ({ write, ...(write !== also && { refusal }) }));
      await expect(runSteps(refusing)).rejects.toBe(refusal);
      // A step's refusal is thrown only if the condition of that step fails.
      const others = writes.map((write) => ({ write, ...(write === also && { refusal }) }));
      expect(await runSteps(others)).toBe(false);
      expect([await getItem(here), await getItem(there)]).toEqual([here, there]);
    },
  );
});
