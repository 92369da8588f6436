import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { usage } from '../../shared/log/usage.ts';
import { getItem } from '../../shared/table/calls/access.ts';
import { contactKey, conversationKey, purgePartition } from '../../shared/table/keys/keys.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { ann, bob } from '../support/handlers/callers.ts';
import { getSortKeys, purgeKey, runPurgeWorker } from '../support/handlers/purge-worker.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { crashAtCall, interceptCalls } from '../support/table/call-hooks.ts';
import { queryAll } from '../support/table/query-all.ts';
import { seedMessages } from '../support/table/seed-messages.ts';
import '../support/setup/use-table.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0)) one();
  jest.restoreAllMocks();
});

/** A deleted conversation with so many messages. */
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

/** Of what is to be written the table takes only the first few. */
function keepSome(input: object, count: number): void {
  const { RequestItems } = v.parse(Removals, input);
  const kept = Object.entries(RequestItems).map(([table, all]) => [table, all.slice(0, count)]);
  Object.assign(input, { RequestItems: Object.fromEntries(kept) });
}

describe('A deleted conversation', () => {
  test('leaves at once nothing of itself but a time, and its place among what is to be purged', async () => {
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

  test('is purged to the last item: messages, markers, settings, and last the tombstone', async () => {
    createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: kept } = await create(ann, { contact_id: 'bob' });
    for (const conversation of [id, kept]) {
      await send(ann, conversation, 'Hello');
      await removeMessage(ann, (await send(ann, conversation, 'Oops')).id);
      await list(bob, conversation);
      await changeConversation(ann, conversation, { is_muted: true });
    }
    await removeConversation(ann, id);
    const others = await getSortKeys(kept);

    expect(await runPurgeWorker([id])).toEqual([]);

    expect(await getSortKeys(id)).toEqual([]);
    expect(await toBePurged(id)).toBe(false);
    expect(await getSortKeys(kept)).toEqual(others);
    expect(others).toHaveLength(5);
  });

  test('is not touched before the requests that saw it alive must have ended', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(3);
    const start = now();
    let firstRemoval: number | undefined;
    undo.push(
      interceptCalls(async ({ command }, goOn) => {
        if (command === 'BatchWriteItemCommand') firstRemoval ??= now();
        await goOn();
      }),
    );
    await runPurgeWorker([id]);
    expect(firstRemoval).toBe(start + 60_000);
    expect(await getSortKeys(id)).toEqual([]);
  });

  test('that needs more time than the worker has is taken up again where it was left', async () => {
    const time = createVirtualClock();
    const id = await deletedWith(2000);
    // Not even time enough to wait, and so it does not: the touch alone brings the worker back.
    const begun = time.now();
    expect(await runPurgeWorker([id], { milliseconds: 17_000 })).toEqual([]);
    expect(time.now()).toBe(begun);
    expect(await getSortKeys(id)).toHaveLength(2001);
    time.pass(60_000);
    const left: number[] = [];
    while (left.at(-1) !== 0) {
      const touched = await touchedAt(id);
      await runPurgeWorker([id], { milliseconds: 17_000 });
      left.push((await getSortKeys(id)).length);
      if (left.at(-1) !== 0) expect(await touchedAt(id)).not.toEqual(touched);
    }
    // In two seconds 800 of them, and what the last batch is more.
    expect(left).toHaveLength(3);
    expect(left[0]).toBeGreaterThanOrEqual(2001 - 825);
    expect(left[1]).toBeGreaterThanOrEqual(2001 - 2 * 825);
  });

  test('takes a write unit an item, and no more than 400 a second, however large the items are', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(100, 'x'.repeat(9_500));
    const start = now();
    await runPurgeWorker([id]);
    const seconds = (now() - start - 60_000) / 1000;
    // Of an item of this size, and the tombstone with its place in the index.
    const units = 100 * 10;
    expect(usage.write_units).toBe(units + 2);
    expect(seconds).toBeCloseTo(units / 400, 1);
  });

  test('makes progress beside others, at a rate that all share', async () => {
    const { now } = createVirtualClock();
    const ids = await Promise.all(Array.from({ length: 10 }, () => deletedWith(100)));
    const order: string[] = [];
    undo.push(
      interceptCalls(async ({ command, input }, goOn) => {
        const id = ids.find((one) => JSON.stringify(input).includes(one));
        if (command === 'BatchWriteItemCommand' && id) order.push(id);
        await goOn();
      }),
    );
    const start = now();
    expect(await runPurgeWorker(ids)).toEqual([]);
    for (const id of ids) expect(await getSortKeys(id)).toEqual([]);
    // Before the first of them has had its last batch, all have had their first.
    const firstDone = Math.min(...ids.map((id) => order.lastIndexOf(id)));
    expect(new Set(order.slice(0, firstDone)).size).toBe(10);
    // Alone, each would take a quarter of a second; of 2,000 units a second each has a tenth.
    expect((now() - start - 60_000) / 1000).toBeGreaterThan(0.45);
  });
});

describe('The purge worker', () => {
  test('leaves alone a conversation that is alive, whatever it is told', async () => {
    createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, 'Hello');
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await getSortKeys(id)).toEqual(['CONVERSATION', 'MESSAGE#000000000001']);
    expect((await getConversation(bob, id)).id).toBe(id);
  });

  test('may be told twice, late, or in any order', async () => {
    createVirtualClock();
    const [one, other] = [await deletedWith(3), await deletedWith(3)];
    expect(await runPurgeWorker([other, one, other])).toEqual([]);
    expect(await runPurgeWorker([one, one])).toEqual([]);
    expect([await getSortKeys(one), await getSortKeys(other)]).toEqual([[], []]);
  });

  test.each(['before', 'after'] as const)(
    'may die %s any of its calls: the next time it finishes',
    async (when) => {
      createVirtualClock();
      for (let k = 1; ; k++) {
        const id = await deletedWith(30);
        const before = usage.table_calls;
        const stop = crashAtCall(k, when);
        const failed = await runPurgeWorker([id]);
        stop();
        if (failed.length === 0) {
          expect(usage.table_calls - before).toBeLessThan(k);
          expect(k).toBeGreaterThan(5);
          break;
        }
        const left = await getSortKeys(id);
        if (left.length > 0) expect(left[0]).toBe('CONVERSATION');
        expect(await runPurgeWorker([id])).toEqual([]);
        expect(await getSortKeys(id)).toEqual([]);
      }
    },
  );

  test('reports only those on which it failed, so that only they come again', async () => {
    createVirtualClock();
    const [one, bad, other] = [await deletedWith(2), await deletedWith(2), await deletedWith(2)];
    undo.push(
      interceptCalls(async ({ command, input }, goOn) => {
        if (command === 'QueryCommand' && JSON.stringify(input).includes(bad)) {
          throw new Error('The table does not like it.');
        }
        await goOn();
      }),
    );
    expect(await runPurgeWorker([one, bad, other])).toEqual(['1']);
    undo.pop()?.();
    expect([await getSortKeys(one), await getSortKeys(other)]).toEqual([[], []]);
    expect(await getSortKeys(bad)).toHaveLength(3);
  });

  test('meets again what the table leaves unprocessed, and does not hurry it', async () => {
    const { now } = createVirtualClock();
    const id = await deletedWith(50);
    undo.push(
      interceptCalls(async ({ command, input }, goOn) => {
        if (command === 'BatchWriteItemCommand') keepSome(input, 5);
        await goOn();
      }),
    );
    const start = now();
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await getSortKeys(id)).toEqual([]);
    // Ten batches were asked for, whole as they seemed.
    expect((now() - start - 60_000) / 1000).toBeGreaterThanOrEqual((50 / 400) * 2);
  });

  test('has no business with anything but conversations', async () => {
    createVirtualClock();
    await send(ann, (await create(ann, { contact_id: 'bob' })).id, 'Hello');
    expect(await purgeKey(contactKey('ann'))).toEqual([]);
    expect(await getItem(contactKey('ann'))).toMatchObject({ id: 'ann' });
  });
});
