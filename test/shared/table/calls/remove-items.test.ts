import { expect, test } from '@jest/globals';
import { getItem } from '../../../../shared/table/calls/access.ts';
import { removeItem } from '../../../../shared/table/calls/remove-items.ts';
import { putAll } from '../../../support/seeds/seed-conversations.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';

const key = { pk: 'removed', sk: '0' };
const isOpen = {
  ConditionExpression: 'stands = :open',
  ExpressionAttributeValues: { ':open': 'open' },
};

test('An item is removed only if the condition holds', async () => {
  await putAll([{ ...key, stands: 'closed' }]);
  await removeItem(key, isOpen);
  expect(await getItem(key)).toEqual({ ...key, stands: 'closed' });
  await putAll([{ ...key, stands: 'open' }]);
  await removeItem(key, isOpen);
  expect(await getItem(key)).toBeUndefined();
});

test('A removal with or without a condition throws unavailable if its call fails', async () => {
  interceptCalls(async () => {
    throw new Error('broken');
  });
  for (const condition of [undefined, isOpen]) {
    await expect(removeItem(key, condition)).rejects.toMatchObject({ code: 'unavailable' });
  }
});
