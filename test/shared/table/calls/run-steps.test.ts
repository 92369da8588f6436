import { beforeEach, describe, expect, test } from '@jest/globals';
import { invalidParameter } from '../../../../shared/api-error.ts';
import { getItem, type Write } from '../../../../shared/table/calls/access.ts';
import { absentCondition, existsCondition } from '../../../../shared/table/calls/expressions.ts';
import { runSteps } from '../../../../shared/table/calls/run-steps.ts';
import { putAll } from '../../../support/seeds/seed-conversations.ts';
import { recordHttpCalls } from '../../../support/table/http-hooks.ts';
import '../../../support/setup/use-table.ts';

const firstKey = { pk: 'steps', sk: 'here' };
const secondKey = { pk: 'steps', sk: 'there' };
beforeEach(async () => {
  await putAll([firstKey, secondKey]);
});

const setting = (Key: typeof firstKey, ConditionExpression: string): Write => ({
  update: {
    Key,
    UpdateExpression: 'SET done = :yes',
    ConditionExpression,
    ExpressionAttributeValues: { ':yes': true },
  },
});
const [right, wrong] = [existsCondition, absentCondition].map((condition) =>
  setting(firstKey, condition),
) as [Write, Write];
const secondWrite = setting(secondKey, existsCondition);
const refusal = invalidParameter('pinned_message_id', 'must be there');

describe('The steps of a change', () => {
  test.each<[string, Write[], string]>([
    ['a single update, outside a transaction', [right], 'UpdateItem'],
    ['two updates, in a transaction', [right, secondWrite], 'TransactWriteItems'],
    [
      'an update and a check of another item, in a transaction',
      [right, { check: { Key: secondKey, ConditionExpression: existsCondition } }],
      'TransactWriteItems',
    ],
  ])('all succeed: %s', async (_, writes, operation) => {
    const steps = writes.map((write) => ({ write, refusal }));
    const calls = await recordHttpCalls(async () => expect(await runSteps(steps)).toBe(true));
    // A transaction with a single update would cost twice as much.
    expect(calls).toMatchObject([{ operation }]);
    expect(await getItem(firstKey)).toEqual({ ...firstKey, done: true });
  });

  test.each<[string, Write[]]>([
    ['a single update', [wrong]],
    ['the first of two updates', [wrong, secondWrite]],
    ['a single check', [{ check: { Key: firstKey, ConditionExpression: absentCondition } }]],
    ['the second of two updates', [secondWrite, wrong]],
    ['a single put', [{ put: firstKey }]],
  ])(
    'have no effect, and the failed step’s refusal is thrown, if the condition of %s fails',
    async (_, writes) => {
      expect(await runSteps(writes.map((write) => ({ write })))).toBe(false);
      const refusing = writes.map((write) => ({
        write,
        ...(write !== secondWrite && { refusal }),
      }));
      await expect(runSteps(refusing)).rejects.toBe(refusal);
      // A refusal is not thrown if the condition of its own step holds.
      const others = writes.map((write) => ({ write, ...(write === secondWrite && { refusal }) }));
      expect(await runSteps(others)).toBe(false);
      expect([await getItem(firstKey), await getItem(secondKey)]).toEqual([firstKey, secondKey]);
    },
  );
});
