import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { toFeedName } from '../../shared/inbox.ts';
import { usage } from '../../shared/log/usage.ts';
import { getItem } from '../../shared/table/calls/access.ts';
import {
  contactKey,
  conversationKey,
  feedMaintenanceKey,
  pairBlocksKey,
  purgePartition,
} from '../../shared/table/keys/keys.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { ann, bob } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import { fakeTimeouts } from '../support/setup/fake-timeouts.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import { queryAll } from '../support/table/query-all.ts';
import { getSortKeys, purgeKey, runPurgeWorker } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

async function deletedWith(messages: number, text?: string): Promise<string> {
  const { id } = await create(ann, { contact_id: 'bob' });
  if (messages > 0) await seedMessages(id, 'ann', messages, undefined, text);
  await removeConversation(ann, id);
  return id;
}

const toBePurged = async (id: string) => {
  const items = await queryAll({
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :partition',
    ExpressionAttributeValues: { ':partition': purgePartition(id) },
  });
  return items.some(({ pk }) => String(pk).endsWith(id));
};

const touchedAt = async (id: string) => (await getItem(conversationKey(id)))?.touched_at;

const Removals = v.object({ RequestItems: v.record(v.string(), v.array(v.unknown())) });

/** Reduces a batch write to its first `count` items, as if the table processed no others. */
function truncateBatch(input: object, count: number): void {
  const { RequestItems } = v.parse(Removals, input);
  const retained = Object.entries(RequestItems).map(([table, all]) => [table, all.slice(0, count)]);
  Object.assign(input, { RequestItems: Object.fromEntries(retained) });
}

describe('A deleted conversation', () => {
  test('retains only its deletion time, deletion id and purge index entry', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, 'Hello');
    await changeConversation(ann, id, { pinned_message_id: message });
    await removeConversation(bob, id);
    expect(await getItem(conversationKey(id))).toEqual({
      ...conversationKey(id),
      deleted_at: expect.any(Number),
      deletion: expect.any(String),
      gsi1pk: purgePartition(id),
      activity: expect.any(String),
    });
    expect(await toBePurged(id)).toBe(true);
  });

  test('is purged completely, with its messages, message tombstones, settings and own tombstone', async () => {
    createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: retained } = await create(ann, { contact_id: 'bob' });
    for (const conversation of [id, retained]) {
      await send(ann, conversation, 'Hello');
      await removeMessage(ann, (await send(ann, conversation, 'Oops')).id);
      await list(bob, conversation);
      await changeConversation(ann, conversation, { is_muted: true });
    }
    await removeConversation(ann, id);
    const others = await getSortKeys(retained);

    expect(await runPurgeWorker([id])).toEqual([]);

    expect(await getSortKeys(id)).toEqual([]);
    expect(await toBePurged(id)).toBe(false);
    expect(await getSortKeys(retained)).toEqual(others);
    expect(others).toHaveLength(5);
  });

  test('is purged one minute after its deletion, so that every request that read it has ended', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(3);
    const start = now();
    let firstRemoval: number | undefined;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'BatchWriteItem') firstRemoval ??= now();
      await proceed();
    });
    await runPurgeWorker([id]);
    expect(firstRemoval).toBe(start + 60_000);
    expect(await getSortKeys(id)).toEqual([]);
  });

  test('is purged over several invocations if the worker runs out of time', async () => {
    const time = createVirtualClock();
    const id = await deletedWith(1200);
    fakeTimeouts();
    // The worker must wait for a minute but has less time left, so it only updates the tombstone.
    // The update invokes the worker again.
    const begun = time.now();
    expect(await runPurgeWorker([id], { milliseconds: 17_000 })).toEqual([]);
    expect(time.now()).toBe(begun);
    expect(await getSortKeys(id)).toHaveLength(1201);
    time.pass(60_000);
    const left: number[] = [];
    while (left.at(-1) !== 0) {
      const touched = await touchedAt(id);
      await runPurgeWorker([id], { milliseconds: 17_000 });
      left.push((await getSortKeys(id)).length);
      if (left.at(-1) !== 0) expect(await touchedAt(id)).not.toEqual(touched);
    }
    // In two seconds, the worker may remove up to 800 items plus the rest of the last batch.
    expect(left).toHaveLength(2);
    expect(left[0]).toBeGreaterThanOrEqual(1201 - 825);
  });

  test('is purged at one write unit per kilobyte of each item, and at most 400 units per second', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(100, 'x'.repeat(9_500));
    const start = now();
    await runPurgeWorker([id]);
    const seconds = (now() - start - 60_000) / 1000;
    // Each log entry takes one write unit, and its content item takes ten. The tombstone and its
    // index entry add one write unit each.
    const units = 100 * (1 + 10);
    expect(usage.write_units).toBe(units + 2);
    expect(seconds).toBeCloseTo(units / 400, 1);
  });

  test('is purged concurrently with other conversations at a shared rate', async () => {
    const { now } = createVirtualClock();
    const ids = await Promise.all(Array.from({ length: 10 }, () => deletedWith(100)));
    const started = new Set<string>();
    const allStarted = Promise.withResolvers<void>();
    interceptCalls(async ({ operation, input }, proceed) => {
      const id = ids.find((one) => JSON.stringify(input).includes(one));
      if (operation === 'BatchWriteItem' && id) {
        started.add(id);
        if (started.size === ids.length) allStarted.resolve();
        // If the purges ran one after another, the test would wait here until it times out.
        await allStarted.promise;
      }
      await proceed();
    });
    const start = now();
    expect(await runPurgeWorker(ids)).toEqual([]);
    for (const id of ids) expect(await getSortKeys(id)).toEqual([]);
    // A single purge would take a quarter of a second. Ten concurrent purges share 2,000 units per
    // second.
    expect((now() - start - 60_000) / 1000).toBeGreaterThan(0.45);
  });
});

describe('The purge worker', () => {
  test('purges only deleted conversations', async () => {
    createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, 'Hello');
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await getSortKeys(id)).toEqual(['CONVERSATION', 'MESSAGE#000000000001']);
    expect((await getConversation(bob, id)).id).toBe(id);
  });

  test('accepts duplicate, late and reordered records', async () => {
    createVirtualClock();
    const [one, other] = [await deletedWith(3), await deletedWith(3)];
    expect(await runPurgeWorker([other, one, other])).toEqual([]);
    expect(await runPurgeWorker([one, one])).toEqual([]);
    expect([await getSortKeys(one), await getSortKeys(other)]).toEqual([[], []]);
  });

  test('reports only the records that failed, so that only they are retried', async () => {
    createVirtualClock();
    const [one, bad, other] = [await deletedWith(2), await deletedWith(2), await deletedWith(2)];
    const undo = interceptCalls(async ({ operation, input }, proceed) => {
      if (operation === 'Query' && JSON.stringify(input).includes(bad)) {
        throw new Error('The table rejects the query.');
      }
      await proceed();
    });
    expect(await runPurgeWorker([one, bad, other])).toEqual(['1']);
    undo();
    expect([await getSortKeys(one), await getSortKeys(other)]).toEqual([[], []]);
    expect(await getSortKeys(bad)).toHaveLength(3);
  });

  test('retries unprocessed items without exceeding its rate', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(50);
    interceptCalls(async ({ operation, input }, proceed) => {
      if (operation === 'BatchWriteItem') truncateBatch(input, 5);
      await proceed();
    });
    const start = now();
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await getSortKeys(id)).toEqual([]);
    // The worker sends ten batches, and counts every item of each batch toward its rate.
    expect((now() - start - 60_000) / 1000).toBeGreaterThanOrEqual((50 / 400) * 2);
  });

  test('logs the feed’s name, but not the owner’s id, if feed maintenance fails', async () => {
    interceptCalls(async () => {
      throw new Error('The table is broken.');
    });
    const inbox = { kind: 'contact', id: 'ann-of-the-log' } as const;
    const lines = await captureLogLines(() => purgeKey(feedMaintenanceKey(inbox)));
    expect(lines[0]).toMatchObject({ level: 'ERROR', item: toFeedName(inbox) });
    expect(JSON.stringify(lines)).not.toContain(inbox.id);
  });

  test('logs the error, but not the contacts’ ids, if an update of blocked conversations fails', async () => {
    interceptCalls(async () => {
      throw new Error('The table is broken.');
    });
    const [one, other] = ['ann-of-the-log', 'bob-of-the-log'];
    const lines = await captureLogLines(() => purgeKey(pairBlocksKey(one, other)));
    expect(lines[0]).toMatchObject({
      level: 'ERROR',
      item: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    for (const id of [one, other]) expect(JSON.stringify(lines)).not.toContain(id);
  });

  test('ignores records of other item types', async () => {
    createVirtualClock();
    await send(ann, (await create(ann, { contact_id: 'bob' })).id, 'Hello');
    expect(await purgeKey(contactKey('ann'))).toEqual([]);
    expect(await getItem(contactKey('ann'))).toMatchObject({ id: 'ann' });
  });
});
