import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listEvents } from '../../../shared/contract/operations.ts';
import type { Inbox } from '../../../shared/inbox.ts';
import { usage } from '../../../shared/log/usage.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { formatEntry } from '../../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../../shared/table/feed/feed-writer.ts';
import { feedMaintenanceKey } from '../../../shared/table/keys/keys.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { crashAtCall } from '../../support/table/call-hooks.ts';
import { queryAll } from '../../support/table/query-all.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { purgeKey } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

const day = 24 * 60 * 60;

let now: number;
beforeEach(() => {
  now = Math.floor(clock.now() / 1000);
  jest.spyOn(clock, 'now').mockImplementation(() => now * 1000);
});
const inboxOf = ({ id }: Caller): Inbox => ({ kind: 'contact', id });

const itemsOf = (inbox: Inbox) =>
  queryAll({
    KeyConditionExpression: 'pk = :feed',
    ExpressionAttributeValues: { ':feed': feedMaintenanceKey(inbox).pk },
    ConsistentRead: true,
  });
const left = async (inbox: Inbox) => (await itemsOf(inbox)).map(({ pk, ...others }) => others);

const dueOf = async (inbox: Inbox) =>
  Number((await getItem(feedMaintenanceKey(inbox)))?.expires_at);

/**
 * Advances the clock, removes the feed's expired items as DynamoDB's TTL would, and invokes the
 * purge worker if the maintenance item was one of them.
 */
async function daysLater(days: number, inbox: Inbox) {
  now += days * day;
  const key = feedMaintenanceKey(inbox);
  const expired = (await itemsOf(inbox)).filter(({ expires_at }) => Number(expires_at) <= now);
  for (const { pk, sk } of expired) await removeItem({ pk: String(pk), sk: String(sk) });
  const isDue = expired.some(({ sk }) => sk === key.sk);
  if (isDue) expect(await purgeKey(key)).toEqual([]);
  if (isDue) expect(usage.table_calls).toBeLessThanOrEqual(3);
  return { removed: expired.length, isDue, reads: usage.read_units, writes: usage.write_units };
}

const publishNow = () => publishAll(now);

async function sendAndPublish(from: Caller, conversationId: string, text = 'Hello') {
  await send(from, conversationId, text);
  await publishNow();
}

describe('A feed without new events', () => {
  test('after 32 days contains only an empty chunk, which stores the number of removed entries', async () => {
    const { cleo, xavier } = createTrio();
    const inbox = inboxOf(xavier);
    const { id } = await create(cleo, { contact_id: xavier.id });
    await sendAndPublish(cleo, id);
    expect(await left(inbox)).toHaveLength(2);
    expect(await daysLater(29, inbox)).toMatchObject({ removed: 0 });
    expect((await listEventsAfter(xavier)).events).toHaveLength(2);
    // The chunk is closed 30 days after its first entry, and retained as long as its last entry.
    expect(await daysLater(1.5, inbox)).toMatchObject({
      removed: 1,
      isDue: true,
      reads: 1,
      writes: 2,
    });
    expect((await listEventsAfter(xavier)).events).toHaveLength(2);
    expect(await daysLater(1, inbox)).toMatchObject({ isDue: true, reads: 1, writes: 1 });
    expect(await left(inbox)).toEqual([
      { sk: 'CHUNK#000000000001', entries: [], room: 0, emptied: 2 },
    ]);
    expect(await daysLater(400, inbox)).toMatchObject({ removed: 0 });
  });

  test('continues at the next sequence number after a long pause, and a cursor at its end stays valid', async () => {
    const { cleo, xavier } = createTrio();
    const inbox = inboxOf(xavier);
    const { id } = await create(cleo, { contact_id: xavier.id });
    await sendAndPublish(cleo, id);
    const end = await getLiveCursor(xavier);
    for (let round = 1; round <= 2; round++) {
      await daysLater(40, inbox);
      await daysLater(40, inbox);
      expect((await listEventsAfter(xavier)).events).toEqual([]);
      expect(await listEventsAfter(xavier, end)).toEqual({ events: [], cursor: end });
      expect(await getLiveCursor(xavier)).toBe(end);
    }
    await sendAndPublish(cleo, id, 'Again');
    expect((await listEventsAfter(xavier, end)).events.map(({ place }) => place)).toEqual([3]);
    expect((await listEventsAfter(xavier)).events.map(({ place }) => place)).toEqual([3]);
    // Feed maintenance has started again.
    expect(await dueOf(inbox)).toBeGreaterThan(now);
    await daysLater(40, inbox);
    await daysLater(40, inbox);
    expect((await listEventsAfter(xavier)).events).toEqual([]);
  });

  test('returns cursor_expired to a client that has not read the removed entries', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const start = await getLiveCursor(xavier);
    await sendAndPublish(cleo, id);
    const { headers } = await request(listEvents, { as: xavier, query: { limit: '1' } });
    const middle = getLinkQuery(headers.Link, 'next')?.starting_after ?? '';
    await daysLater(29, inboxOf(xavier));
    expect((await listEventsAfter(xavier, middle)).events).toHaveLength(1);
    await daysLater(10, inboxOf(xavier));
    for (const starting_after of [start, middle]) {
      const { status, code } = await refused(listEvents, { as: xavier, query: { starting_after } });
      expect([status, code]).toEqual([410, 'cursor_expired']);
    }
  });
});

describe('A feed with infrequent events', () => {
  test('retains each entry for at least 30 and at most 62 days', async () => {
    const { cleo, xavier } = createTrio();
    const inbox = inboxOf(xavier);
    const { id } = await create(cleo, { contact_id: xavier.id });
    const sent: { sequence: number; at: number }[] = [];
    for (let n = 0; n < 14; n++) {
      await sendAndPublish(cleo, id, `${n}`);
      const { events } = await listEventsAfter(xavier);
      sent.push({ sequence: events.at(-1)?.place ?? 0, at: now });
      const retained = events.map(({ place }) => place);
      for (const { sequence, at } of sent) {
        if (now - at < 30 * day) expect(retained).toContain(sequence);
        if (now - at > 62 * day) expect(retained).not.toContain(sequence);
      }
      await daysLater([1, 29, 12, 30][n % 4] ?? 1, inbox);
    }
    expect(new Set(sent.map(({ sequence }) => sequence)).size).toBe(14);
  });

  test('costs one read unit and one write unit per month for maintenance', async () => {
    const { cleo, xavier } = createTrio();
    const inbox = inboxOf(xavier);
    const { id } = await create(cleo, { contact_id: xavier.id });
    for (let n = 0; n < 40; n++) await send(cleo, id, `${n}`);
    await publishNow();
    now += 29 * day;
    for (let n = 0; n < 40; n++) await send(cleo, id, `more ${n}`);
    await publishNow();
    expect(await daysLater(1.5, inbox)).toMatchObject({ isDue: true, reads: 1, writes: 1 });
    expect(await dueOf(inbox)).toBeGreaterThan(now + 28 * day);
  });
});

const createText = (n: number) =>
  formatEntry({
    type: 'message.created',
    id: `0000000000000000000000000${n % 10}${String(n).padStart(18, '0')}`,
    version: 1,
    at: now,
  });

test('Feed maintenance completes on the next invocation if the purge worker crashes after any table call', async () => {
  for (const days of [30.5, 31.5]) {
    for (let at = 1; ; at++) {
      const { xavier } = createTrio();
      const inbox = inboxOf(xavier);
      await createFeedWriter()(inbox, [createText(1), createText(2)]);
      now += days * day;
      await removeItem(feedMaintenanceKey(inbox));
      const undo = crashAtCall(at, 'after');
      const failed = await purgeKey(feedMaintenanceKey(inbox)).finally(undo);
      if (failed.length === 0) break;
      expect(await purgeKey(feedMaintenanceKey(inbox))).toEqual([]);
      const isEmptied = (await left(inbox)).some(({ emptied }) => emptied === 2);
      const isChecked = (await getItem(feedMaintenanceKey(inbox))) !== undefined;
      expect([isEmptied, isChecked]).toEqual(days > 31 ? [true, false] : [false, true]);
    }
  }
});
