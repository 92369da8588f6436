import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { listEvents } from '../../../shared/contract/operations.ts';
import type { Inbox } from '../../../shared/inbox.ts';
import { usage } from '../../../shared/log/usage.ts';
import { formatEntry } from '../../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../../shared/table/feed/feed-writer.ts';
import { create } from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const day = 24 * 60 * 60 * 1000;

const usageOf = async (act: () => Promise<unknown>) => {
  await act();
  return { calls: usage.table_calls, reads: usage.read_units };
};

describe('With many expired entries that DynamoDB has not removed yet,', () => {
  const { cleo } = createTrio();
  const inbox: Inbox = { kind: 'contact', id: cleo.id };
  const now = clock.now();
  const at = (days: number) => jest.spyOn(clock, 'now').mockReturnValue(now + days * day);
  const expiredCount = 1500;
  let entryCount = 0;

  async function appendEntries(id: string, count: number) {
    const changedAt = Math.floor(clock.now() / 1000);
    const entries = Array.from({ length: count }, (_, n) =>
      formatEntry({ type: 'conversation.updated', id, version: entryCount + n, at: changedAt }),
    );
    await createFeedWriter()(inbox, entries);
    entryCount += count;
  }

  test('listing events without a cursor finds the retained entries by binary search, and an expired cursor is rejected without additional table calls', async () => {
    at(0);
    const { id } = await create(cleo, { contact_id: 'zoe' });
    const old = await getLiveCursor(cleo);
    await appendEntries(id, expiredCount);
    const end = await getLiveCursor(cleo);
    at(20);
    await appendEntries(id, 40);
    const quiet = await usageOf(() => listEventsAfter(cleo, end));

    at(32);
    const starting_after = old;
    const before = await usageOf(() =>
      refused(listEvents, { as: cleo, query: { starting_after } }),
    );
    expect(before.calls).toBeLessThanOrEqual(quiet.calls);
    expect(before.reads).toBeLessThanOrEqual(3 * quiet.reads);
    expect(await refused(listEvents, { as: cleo, query: { starting_after } })).toMatchObject({
      status: 410,
      code: 'cursor_expired',
    });

    const without = await usageOf(() => ok(listEvents, { as: cleo, query: { limit: '10' } }));
    const halvings = Math.ceil(Math.log2(expiredCount));
    expect(without.calls).toBeLessThanOrEqual(quiet.calls + 2 + halvings);
    expect(without.reads).toBeLessThanOrEqual(3 * quiet.reads + halvings);
    const { events } = await listEventsAfter(cleo);
    const sequences = events.map(({ place }) => place);
    expect(sequences).toEqual(
      sequences.map((_, n) => expiredCount + 40 - sequences.length + 1 + n),
    );
    expect(sequences.length).toBeGreaterThanOrEqual(40);
    expect((await listEventsAfter(cleo, end)).events).toHaveLength(40);
  });
});
