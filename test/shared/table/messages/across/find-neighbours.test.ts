import { describe, expect, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { resetUsage, usage } from '../../../../../shared/log/usage.ts';
import { getItem } from '../../../../../shared/table/calls/access.ts';
import { parseVisibleConversation } from '../../../../../shared/table/conversations/items/conversation-item.ts';
import { conversationKey } from '../../../../../shared/table/keys/keys.ts';
import { findNeighbours } from '../../../../../shared/table/messages/across/find-neighbours.ts';
import { create, list, removeMessage } from '../../../../support/handlers/api-calls.ts';
import { ann } from '../../../../support/handlers/callers.ts';
import fc from '../../../../support/setup/fast-check.ts';
import { sampleOf, sized } from '../../../../support/setup/sample-size.ts';
import { seedMessages } from '../../../../support/table/seed-messages.ts';
import '../../../../support/setup/use-table.ts';

const start = clock.now() - 1_000_000;

/** A conversation with messages at these times. An entry without a time is a gap. */
async function conversationOf(times: (number | undefined)[]) {
  const { id } = await create(ann, { contact_id: 'bob' });
  await seedMessages(id, 'ann', times.length, (sequence) => times[sequence - 1]);
  const conversation = parseVisibleConversation(ann, await getItem(conversationKey(id)));
  if (!conversation) throw new Error('The conversation was not stored.');
  return conversation;
}

/** The messages before and after a time, seen from another conversation. */
function neighbours(times: (number | undefined)[], time: number) {
  const sequences = times.map((one, n) => ({ place: n + 1, time: one }));
  return {
    older: sequences.findLast((one) => one.time !== undefined && one.time <= time)?.place,
    newer: sequences.find((one) => one.time !== undefined && one.time > time)?.place,
  };
}

/** The sequence numbers of the messages on both sides. */
async function found(...input: Parameters<typeof findNeighbours>) {
  const { older, newer } = await findNeighbours(...input);
  return { older: older?.sequence, newer: newer?.sequence };
}

/** Same, with the number of reads. */
async function looked(...input: Parameters<typeof findNeighbours>) {
  resetUsage();
  return { ...(await found(...input)), reads: usage.table_calls };
}

/** Sorts after every existing conversation: messages sent at the same time come before it. */
const elsewhere = (sentAt: number) => ({ conversationId: 'Z'.repeat(26), sequence: 1, sentAt });

describe('Finding a timestamp in a conversation', () => {
  test('returns the two messages around it, for any distribution', async () => {
    const gap = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    );
    const sequence = fc.record({ gap, empty: fc.boolean(), run: fc.integer({ min: 1, max: 25 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(sequence, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        async (runs, picks) => {
          let now = start;
          const times = runs.flatMap(({ gap, empty, run }) =>
            Array.from({ length: run }, () => {
              now += gap;
              return empty ? undefined : now;
            }),
          );
          // The conversation was created before every position in the test.
          const conversation = { ...(await conversationOf(times)), created_at: start - 1 };
          const known = times.filter((time) => time !== undefined);
          const some = picks.map((pick) => known[pick % Math.max(known.length, 1)] ?? start);
          for (const time of [start - 1, now + 1, ...some, ...some.map((one) => one - 1)]) {
            expect({ time, ...(await found(conversation, elsewhere(time))) }).toEqual({
              time,
              ...neighbours(times, time),
            });
          }
        },
      ),
      { numRuns: sized(2, 40) },
    );
  });

  test('takes one read for a message of the same conversation, by its sequence number', async () => {
    const conversation = await conversationOf(Array.from({ length: 40 }, () => start));
    for (const sequence of [1, 20, 39]) {
      const position = { conversationId: conversation.id, sequence, sentAt: start };
      expect(await looked(conversation, position)).toEqual({
        ...{ older: sequence, newer: sequence + 1 },
        reads: 1,
      });
    }
  });

  test('works below all messages, above gaps', async () => {
    const times = Array.from({ length: 40 }, (_, n) => (n < 10 ? undefined : start + n));
    const conversation = { ...(await conversationOf(times)), created_at: start };
    expect(await looked(conversation, elsewhere(start + 9))).toEqual({
      ...{ older: undefined, newer: 11 },
      reads: 1,
    });
    expect(await looked(conversation, elsewhere(start))).toEqual({
      ...{ older: undefined, newer: 11 },
      reads: 3,
    });
  });

  test('works if all messages and the conversation have the same millisecond', async () => {
    const conversation = await conversationOf(Array.from({ length: 40 }, () => start));
    const before = { conversationId: '0'.repeat(26), sequence: 1, sentAt: start };
    expect(await looked(conversation, elsewhere(start))).toEqual({
      older: 40,
      newer: undefined,
      reads: 3,
    });
    expect(await looked(conversation, before)).toEqual({ older: undefined, newer: 1, reads: 3 });
  });

  test('skips deleted messages', async () => {
    const times = Array.from({ length: 60 }, (_, n) => start + Math.floor(n / 7) * 1000 + n);
    const conversation = await conversationOf(times);
    const { data } = await list(ann, conversation.id, { limit: '60' });
    const isDeleted = (n: number) => n % 5 === 0 || (n > 20 && n < 30);
    const left = times.map((time, n) => (isDeleted(n) ? undefined : time));
    for (const n of times.keys())
      if (isDeleted(n)) await removeMessage(ann, data[times.length - 1 - n]?.id ?? '');
    let reads = 0;
    for (const time of times.filter((_, n) => n % 3 === 0)) {
      const { reads: some, ...around } = await looked(conversation, elsewhere(time));
      expect({ time, ...around }).toEqual({ time, ...neighbours(left, time) });
      reads += some;
    }
    expect(reads).toBe(57);
  });

  /**
   * The number of messages, their timestamps, and the number of reads for some of their positions.
   */
  const distributions: [count: number, string, (n: number) => number, Record<number, number>][] = [
    [
      200,
      'sent twenty at a time',
      (n) => start + Math.floor(n / 20) * 1000 + n,
      { 1: 1, 12: 6, 19: 7, 28: 4, 112: 5, 200: 1 },
    ],
    [
      1000,
      'sent at a steady rate',
      (n) => start + n * 10,
      { 1: 1, 9: 1, 277: 1, 500: 1, 985: 1, 1000: 1 },
    ],
    [
      1000,
      'sent in bursts',
      (n) => start + Math.floor(n / 200) * 50_000 + (n % 200),
      { 1: 1, 9: 4, 277: 6, 500: 5, 985: 9, 1000: 1 },
    ],
    [
      1000,
      'mostly sent recently',
      (n) => start + Math.floor(1e9 * (n / 1000) ** 9),
      { 1: 11, 9: 11, 277: 9, 500: 10, 985: 3, 1000: 1 },
    ],
  ] as const;
  test.each(sampleOf(distributions, 2))(
    'takes few reads among %i messages %s',
    async (count, _, timeOf, readsAt) => {
      const times = Array.from({ length: count }, (_, n) => timeOf(n + 1));
      const conversation = await conversationOf(times);
      const seen: Record<string, number> = {};
      for (const sequence of Object.keys(readsAt).map(Number)) {
        const { reads, ...around } = await looked(conversation, elsewhere(timeOf(sequence)));
        expect(around).toEqual(neighbours(times, timeOf(sequence)));
        seen[sequence] = reads;
      }
      expect(seen).toEqual(readsAt);
    },
  );
});
