import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { countItems, eraseItems } from '../../../commands/privacy/erase/erase-items.ts';
import { createRateLimiter } from '../../../commands/privacy/items/rate-limiter.ts';
import { formatScanCost } from '../../../commands/privacy/items/scan-cost.ts';
import { clock } from '../../../shared/clock.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import { create, list, send } from '../../support/handlers/api-calls.ts';
import { createTrio } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { findTraces } from './find-traces.ts';
import { table, toErasure } from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const count = selectSize(120, 1500);

/** Stores messages as the API would, each with reactions by its sender and another user. */
async function storeReactedMessages(
  conversationId: string,
  sentBy: string,
  reactor: string,
): Promise<void> {
  const start = Date.now() - 120_000;
  const items = Array.from({ length: count }, (_, n) => n + 1).map((sequence) => ({
    ...messageKey(conversationId, sequence),
    id: toMessageId({ conversationId, sequence, sentAt: start + sequence }),
    conversation_id: conversationId,
    sequence,
    sent_by: sentBy,
    message: 'x'.repeat(300),
    reactions: { thumbsup: new Set([reactor]), heart: new Set([reactor, sentBy]) },
    reaction_count: 3,
    version: 3,
    created_at: start + sequence,
    previous_at: start + sequence - 1,
  }));
  for (let at = 0; at < items.length; at += 25) {
    const requests = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
}

test('Erasing many messages and reactions takes about two table calls per message or reaction', async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  await seedMessages(id, cleo.id, count);
  await storeReactedMessages(id, cleo.id, xavier.id);
  const { id: own } = await create(cleo, { contact_id: xavier.id });
  await seedMessages(own, xavier.id, count);
  await send(cleo, own, 'The last one');

  const erasure = toErasure(xavier.id, { pageSize: 100 });
  expect(await countItems(erasure)).toMatchObject({ reactions: count, messages: count });
  const before = { ...usage };
  await eraseItems(erasure);
  const calls = usage.table_calls - before.table_calls;
  // The margin covers the reads per page, and the neighbor scans of one deletion in sixteen.
  expect(calls).toBeLessThan(2 * 2 * count * 1.5 + 100);
  expect(await findTraces(xavier.id)).toEqual([]);
  expect((await list(cleo, id, { limit: '1' })).data).toMatchObject([
    { reactions: [{ heart: [cleo.id] }] },
  ]);

  // A list that skips many deleted messages reads only some of their tombstones.
  const [first] = (await list(cleo, own, { limit: '10' })).data;
  expect(first?.message).toBe('The last one');
  await list(cleo, own, { limit: '10' });
  expect(usage.table_calls).toBeLessThan(20);
}, 300_000);

test('A rate limiter limits the total units per second of all concurrent callers', async () => {
  let now = 0;
  const waits: number[] = [];
  jest.spyOn(clock, 'now').mockImplementation(() => now);
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    waits.push(milliseconds);
  });
  const limitRate = createRateLimiter(500);
  await Promise.all([limitRate(250), limitRate(250), limitRate(1000)]);
  expect(waits).toEqual([500, 1000, 3000]);
  now = 10_000;
  await limitRate(50);
  expect(waits.at(-1)).toBe(100);
});

test('Reading a million items of 350 bytes is estimated at 85,450 read units, as in docs/privacy.md', () => {
  expect(formatScanCost({ items: 1_000_000, bytes: 350_000_000 }, 500)).toBe(
    'The table has about 1000000 items: reading all of it takes 85450 read units, $0.011, and 3 min at 500 units per second.',
  );
});
