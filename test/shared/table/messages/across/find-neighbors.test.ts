import { describe, expect, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { resetUsage, usage } from '../../../../../shared/log/usage.ts';
import { getItem } from '../../../../../shared/table/calls/access.ts';
import { parseVisibleConversation } from '../../../../../shared/table/conversations/items/conversation-item.ts';
import { conversationKey } from '../../../../../shared/table/keys/keys.ts';
import { findNeighbors } from '../../../../../shared/table/messages/across/find-neighbors.ts';
import { create, list, removeMessage } from '../../../../support/handlers/api-calls.ts';
import { ann } from '../../../../support/people/callers.ts';
import { seedMessages } from '../../../../support/seeds/seed-messages.ts';
import fc from '../../../../support/setup/fast-check.ts';
import { selectSize } from '../../../../support/setup/sample-size.ts';
import '../../../../support/setup/use-table.ts';

const start = clock.now() - 1_000_000;

/** Creates a conversation with messages at the given times; `undefined` leaves a gap. */
async function conversationOf(times: (number | undefined)[]) {
  const { id } = await create(ann, { contact_id: 'bob' });
  await seedMessages(id, 'ann', times.length, (sequence) => times[sequence - 1]);
  const conversation = parseVisibleConversation(ann, await getItem(conversationKey(id)));
  if (!conversation) throw new Error('The conversation was not stored.');
  return conversation;
}

function neighbors(times: (number | undefined)[], time: number) {
  const sequences = times.map((one, n) => ({ sequence: n + 1, time: one }));
  return {
    older: sequences.findLast((one) => one.time !== undefined && one.time <= time)?.sequence,
    newer: sequences.find((one) => one.time !== undefined && one.time > time)?.sequence,
  };
}

async function found(...input: Parameters<typeof findNeighbors>) {
  const { older, newer } = await findNeighbors(...input);
  return { older: older?.sequence, newer: newer?.sequence };
}

async function foundWithReads(...input: Parameters<typeof findNeighbors>) {
  resetUsage();
  return { ...(await found(...input)), reads: usage.table_calls };
}

/**
 * Returns a position that sorts after all messages with the same timestamp, because it has the
 * highest conversation id.
 */
const foreignPosition = (sentAt: number) => ({
  conversationId: 'Z'.repeat(26),
  sequence: 1,
  sentAt,
});

describe('Finding a timestamp in a conversation', () => {
  test('returns the last message up to the timestamp and the first message after it, for any distribution of times', async () => {
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
          const conversation = await conversationOf(times);
          const known = times.filter((time) => time !== undefined);
          const pickedTimes = picks.map((pick) => known[pick % Math.max(known.length, 1)] ?? start);
          for (const time of [
            start - 1,
            now + 1,
            ...pickedTimes,
            ...pickedTimes.map((one) => one - 1),
          ]) {
            expect({ time, ...(await found(conversation, foreignPosition(time))) }).toEqual({
              time,
              ...neighbors(times, time),
            });
          }
        },
      ),
      { numRuns: selectSize(2, 40) },
    );
  });

  test('takes at most one more read than a binary search', async () => {
    const conversation = await conversationOf(Array.from({ length: 40 }, (_, n) => start + n));
    for (const sequence of [1, 20, 39]) {
      const sentAt = start + sequence - 1;
      const around = { older: sequence, newer: sequence + 1 };
      for (const position of [
        foreignPosition(sentAt),
        { conversationId: conversation.id, sequence, sentAt },
      ]) {
        const { reads, ...others } = await foundWithReads(conversation, position);
        expect(others).toEqual(around);
        expect(reads).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(41)));
      }
    }
  });

  test('takes two reads if the position is the last message and a gap follows', async () => {
    const times = Array.from({ length: 40 }, (_, n) => (n < 39 ? start + n : undefined));
    const conversation = await conversationOf(times);
    const position = { conversationId: conversation.id, sequence: 39, sentAt: start + 38 };
    expect(await foundWithReads(conversation, position)).toEqual({
      older: 39,
      newer: undefined,
      reads: 2,
    });
  });

  test('compares conversation ids if all messages have that timestamp', async () => {
    const conversation = await conversationOf(Array.from({ length: 40 }, () => start));
    const before = { conversationId: '0'.repeat(26), sequence: 1, sentAt: start };
    expect(await found(conversation, foreignPosition(start))).toEqual({
      older: 40,
      newer: undefined,
    });
    expect(await found(conversation, before)).toEqual({ older: undefined, newer: 1 });
  });

  test('skips deleted messages', async () => {
    const times = Array.from({ length: 60 }, (_, n) => start + Math.floor(n / 7) * 1000 + n);
    const conversation = await conversationOf(times);
    const { data } = await list(ann, conversation.id, { limit: '60' });
    const isDeleted = (n: number) => n % 5 === 0 || (n > 20 && n < 30);
    const left = times.map((time, n) => (isDeleted(n) ? undefined : time));
    for (const n of times.keys())
      if (isDeleted(n)) await removeMessage(ann, data[times.length - 1 - n]?.id ?? '');
    for (const time of times.filter((_, n) => n % 3 === 0)) {
      expect({ time, ...(await found(conversation, foreignPosition(time))) }).toEqual({
        time,
        ...neighbors(left, time),
      });
    }
  });
});
