import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { usage } from '../../../../../shared/log/usage.ts';
import { getItem } from '../../../../../shared/table/calls/access.ts';
import { visibleTo } from '../../../../../shared/table/conversations/items.ts';
import { conversationKey } from '../../../../../shared/table/keys/keys.ts';
import { findPlace } from '../../../../../shared/table/messages/across/find-place.ts';
import { ann } from '../../../../support/people.ts';
import { seedMessages } from '../../../../support/seed.ts';
import { sized } from '../../../../support/size.ts';
import { create } from '../../../../support/steps.ts';
import '../../../../support/table.ts';

const start = Date.now() - 1_000_000;

/** A conversation with messages at these times, where a place without one is empty. */
async function conversationOf(times: (number | undefined)[]) {
  const { id } = await create(ann, { contact_id: 'bob' });
  await seedMessages(id, 'ann', times.length, (sequence) => times[sequence - 1]);
  const conversation = visibleTo(ann, await getItem(conversationKey(id)));
  if (!conversation) throw new Error('The conversation was not stored.');
  return conversation;
}

/** What was before and after a time, seen from another conversation. */
function neighbours(times: (number | undefined)[], time: number) {
  const places = times.map((one, n) => ({ place: n + 1, time: one }));
  return {
    older: places.findLast((one) => one.time !== undefined && one.time <= time)?.place,
    newer: places.find((one) => one.time !== undefined && one.time > time)?.place,
  };
}

/** The places of the messages on both sides. */
async function found(...input: Parameters<typeof findPlace>) {
  const { older, newer } = await findPlace(...input);
  return { older: older?.sequence, newer: newer?.sequence };
}

/** Sorts after any conversation that there is: what was sent at the same time comes before it. */
const elsewhere = (sentAt: number) => ({ conversationId: 'Z'.repeat(26), sequence: 1, sentAt });

describe('The place of a time in a conversation', () => {
  test('is between the two messages around it, however they come', async () => {
    const gap = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    );
    const place = fc.record({ gap, empty: fc.boolean(), run: fc.integer({ min: 1, max: 25 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        async (runs, picks) => {
          let now = start;
          const times = runs.flatMap(({ gap, empty, run }) =>
            Array.from({ length: run }, () => {
              now += gap;
              return empty ? undefined : now;
            }),
          );
          const conversation = await conversationOf(times);
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

  test('of a message of the conversation itself is at it, by the number of its place', async () => {
    const conversation = await conversationOf(Array.from({ length: 40 }, () => start));
    for (const sequence of [1, 20, 39]) {
      const position = { conversationId: conversation.id, sequence, sentAt: start };
      expect(await found(conversation, position)).toEqual({
        older: sequence,
        newer: sequence + 1,
      });
    }
  });

  test.each<[string, number, (sequence: number) => number]>([
    ['that come evenly', 3, (n) => start + n * 10],
    ['that come in bursts', 12, (n) => start + Math.floor(n / 200) * 50_000 + (n % 200)],
    ['of which most came lately', 12, (n) => start + Math.floor(1e9 * (n / 3000) ** 9)],
  ])('takes few reads among 3000 messages %s', async (_, most, timeOf) => {
    const times = Array.from({ length: 3000 }, (_, n) => timeOf(n + 1));
    const conversation = await conversationOf(times);
    for (const place of [1, 9, 777, 1500, 2985, 3000]) {
      const time = timeOf(place);
      usage.table_calls = 0;
      expect(await found(conversation, elsewhere(time))).toEqual(neighbours(times, time));
      expect(usage.table_calls).toBeLessThanOrEqual(most);
    }
  });
});
