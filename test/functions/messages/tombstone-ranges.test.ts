import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { parseMessageId, random, toMessageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { create, getMessage, list, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import {
  beforeMessagePut,
  interceptCalls,
  pauseFirstMessagePut,
} from '../../support/table/call-hooks.ts';
import { queryAll } from '../../support/table/query-all.ts';
import '../../support/setup/use-table.ts';
import { selectSize, takeSample, thoroughTest } from '../../support/setup/sample-size.ts';

/**
 * Three times the cost of a list without deletions, which takes three calls and four read units.
 */
const maxCost = { calls: 3 * 3, reads: 3 * 4 };

/**
 * Cost of repeating a list that starts inside a tombstone range. The list reads the short range of
 * a sample run, and skips the long range of a thorough run.
 */
const laterCost = { calls: 3, reads: selectSize(5, 4) };

/**
 * Creates a conversation with messages that bob has read. Deletes the messages that `isRetained`
 * excludes, in the order that `order` returns.
 */
async function conversationOf(
  count: number,
  isRetained: (sequence: number) => boolean,
  order = upwards,
) {
  const { id } = await create(ann, { contact_id: 'bob' });
  await seedMessages(id, 'ann', count);
  const ids: string[] = [];
  for (let more = true; more; ) {
    const cursor = ids.at(-1);
    const page = await list(bob, id, { limit: '100', ...(cursor && { starting_after: cursor }) });
    ids.push(...page.data.map((one) => one.id));
    more = page.has_more;
  }
  ids.reverse();
  for (const message of order(ids.filter((_, n) => !isRetained(n + 1))))
    await removeMessage(ann, message);
  // Caches the sender's contact again: the cache entry may have expired during the deletions.
  await getMessage(
    bob,
    (await send(ann, (await create(ann, { contact_id: 'bob' })).id, 'elsewhere')).id,
  );
  return { id, ids };
}

const upwards = (ids: string[]) => ids;
const downwards = (ids: string[]) => ids.toReversed();
const shuffled = (ids: string[]) =>
  ids.toSorted((a, b) => (a.slice(-3) + a > b.slice(-3) + b ? 1 : -1));

const used = () => ({ calls: usage.table_calls, reads: usage.read_units });

function expectBoundedCost() {
  const { calls, reads } = used();
  expect(calls).toBeLessThanOrEqual(maxCost.calls);
  expect(reads).toBeLessThanOrEqual(maxCost.reads);
}

/** Approximate number of consecutive deleted messages. */
const many = selectSize(80, 400);

describe.each(
  takeSample(
    [
      ['in random order', shuffled],
      ['from the oldest to the newest', upwards],
      ['from the newest to the oldest', downwards],
    ] as const,
    3,
  ),
)('With many messages deleted %s,', (_, order) => {
  test('the first request that lists the messages before or after them costs at most three times as much as usual', async () => {
    const { id, ids } = await conversationOf(many + 20, (n) => n <= 10 || n > many + 10, order);
    const idOf = (n: number) => ids[n - 1] ?? '';
    const sequences = (page: { data: { id: string }[] }) =>
      page.data.map((one) => parseMessageId(one.id)?.sequence);

    const older = await list(bob, id, { starting_after: idOf(many + 11) });
    expectBoundedCost();
    expect(sequences(older)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);

    const newer = await list(bob, id, { ending_before: idOf(10) });
    expectBoundedCost();
    expect(sequences(newer)).toEqual(Array.from({ length: 10 }, (_, n) => many + 20 - n));
  });
});

test('The first list that starts above many deleted messages costs at most three times as much as usual', async () => {
  const { id } = await conversationOf(selectSize(80, 300), (n) => n <= 5);
  const page = await list(bob, id);
  expectBoundedCost();
  expect(page.data).toHaveLength(5);
});

test('Repeating a list request that starts among many deleted messages costs three calls and at most five read units', async () => {
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
  const { id, ids } = await conversationOf(many, (n) => n <= 5 || n > many - 5);
  const from = { starting_after: ids[Math.ceil(many * 0.625)] ?? '' };
  const to = { ending_before: ids[Math.ceil(many * 0.375)] ?? '' };
  const first = [await list(bob, id, from), await list(bob, id, to)];
  const again = [await list(bob, id, from)];
  expect(used()).toEqual(laterCost);
  again.push(await list(bob, id, to));
  expect(used()).toEqual(laterCost);
  expect(again).toEqual(first);
  expect(first.map(({ data }) => data.length)).toEqual([5, 5]);
});

test.each(
  takeSample(
    [
      ['the oldest first', upwards],
      ['the newest first', downwards],
    ] as const,
    2,
  ),
)(
  'A list that starts among messages deleted one by one, %s, skips to the range bound',
  async (_, order) => {
    let deletions = 0;
    jest.spyOn(random, 'oneIn').mockImplementation((denominator) => {
      deletions += 1;
      return deletions % denominator === 0;
    });
    const { id, ids } = await conversationOf(400, (n) => n <= 5 || n > 395, order);
    const [low, high] = [ids[150] ?? '', ids[250] ?? ''];
    const older = await list(bob, id, { starting_after: high });
    expectSkipCost();
    const newer = await list(bob, id, { ending_before: low });
    expectSkipCost();
    expect([older, newer].map(({ data }) => data.length)).toEqual([5, 5]);

    function expectSkipCost() {
      expect(used().calls).toBeLessThanOrEqual(maxCost.calls);
      expect(used().reads).toBeLessThanOrEqual(maxCost.reads - 2);
    }
  },
);

thoroughTest(
  'With few messages left among many deleted ones, lists remove tombstones until a list costs three calls and no write',
  async () => {
    const { id, ids } = await conversationOf(400, (n) => n % 40 === 1);
    const now = clock.now();
    jest.spyOn(clock, 'now').mockImplementation(() => now + 61_000);
    const left = ids.filter((_, n) => n % 40 === 0).reverse();
    for (let n = 0; n < 20; n++) {
      const page = await list(bob, id);
      expect(page.data.map((one) => one.id)).toEqual(left);
      expect(usage.write_units).toBeLessThanOrEqual(25 + 20 + 1);
    }
    await list(bob, id);
    expect({ ...used(), writes: usage.write_units }).toEqual({ calls: 3, reads: 6, writes: 0 });
    const items = await queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': conversationKey(id).pk },
    });
    expect(items.filter(({ deletion }) => deletion !== undefined).length).toBeLessThanOrEqual(66);
  },
);

describe('A crashed send', () => {
  /** Leaves a reserved sequence number, as if a send crashed before it wrote its message. */
  async function abandonedReservation(conversationId: string) {
    const undo = beforeMessagePut(async () => {
      throw new Error('The function crashes here.');
    });
    await expect(send(ann, conversationId, 'lost')).rejects.toThrow();
    undo();
  }

  // One write fills the gap, one stores ann's opening, and two store the range bounds unless an
  // earlier deletion stored them.
  test.each(
    takeSample(
      [
        { before: 9, writes: [2, 2, 0] },
        { before: 0, writes: [2, 0, 0] },
        { before: 8, writes: [2, 0, 0] },
        { before: 10, writes: [4, 0, 0] },
        { before: 40, writes: [2, 0, 0] },
        { before: 70, writes: [2, 0, 0] },
      ],
      3,
    ),
  )(
    'above a long tombstone range costs readers one tombstone and at most one update of the range bounds, if the bounds were last stored $before sequence numbers earlier',
    async ({ before, writes }) => {
      const count = selectSize(80, 300);
      let deletions = 0;
      jest.spyOn(random, 'oneIn').mockImplementation((denominator) => {
        deletions += 1;
        const left = count - deletions;
        return left === before || (left > before && deletions % denominator === 0);
      });
      const { id } = await conversationOf(count, () => false);
      await list(bob, id);
      await abandonedReservation(id);
      const { id: last } = await send(ann, id, 'hello');
      const written: number[] = [];
      for (const _ of writes) {
        const page = await list(ann, id);
        expect(page.data.map((one) => one.id)).toEqual([last]);
        expectBoundedCost();
        written.push(usage.write_units);
      }
      expect(written).toEqual(writes);
    },
  );

  test('still lets a poller at its sequence number receive a slow message at the next sequence number', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    // The poller's cursor need not identify a message, because a cursor is only a position.
    await abandonedReservation(id);
    const missingId = toMessageId({ conversationId: id, sequence: 1, sentAt: clock.now() });
    const { paused, resume, undo } = pauseFirstMessagePut();
    const slow = send(ann, id, 'slow');
    await paused;
    await send(ann, id, 'quick');
    const seen = (await list(bob, id, { ending_before: missingId })).data.map((one) => one.message);
    resume();
    await slow;
    undo();
    const cursor = (await list(bob, id)).data.find((one) => one.message === 'quick')?.id ?? '';
    const rest = (await list(bob, id, { ending_before: cursor })).data.map((one) => one.message);
    expect([seen, rest]).toEqual([['quick'], ['slow']]);
  });
});

test('Concurrent requests with one Idempotency-Key leave no gaps for readers to fill', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const headers = { 'Idempotency-Key': 'the same' };
  const body = { conversation_id: id, message: 'once' };
  await Promise.all(
    Array.from({ length: 8 }, () => ok(sendMessage, { as: ann, headers, body }).catch(() => {})),
  );
  await send(ann, id, 'next');
  const page = await list(ann, id);
  expect(usage.write_units).toBe(1);
  expect(page.data.map((one) => one.message)).toEqual(['next', 'once']);
});

test('A deleted message is not stored again if its put is retried after the deletion', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  let isFirst = true;
  interceptCalls(async ({ operation, input }, proceed) => {
    await proceed();
    if (!isFirst || operation !== 'PutItem' || !JSON.stringify(input).includes('"message":'))
      return;
    isFirst = false;
    // The table's reply is lost. Before the call is retried, another device finds and deletes the
    // message.
    const [message] = (await list(ann, id)).data;
    await removeMessage(ann, message?.id ?? '');
    await proceed();
  });
  await send(ann, id, 'gone');
  expect(isFirst).toBe(false);
  expect((await list(bob, id)).data).toEqual([]);
});
