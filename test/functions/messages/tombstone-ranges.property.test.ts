import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { random, toMessageId } from '../../../shared/ids.ts';
import { create, list, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { pauseFirstMessagePut } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const { now } = clock;
const start = now() - 120_000;

const idAt = (conversationId: string, sequence: number) =>
  toMessageId({ conversationId, sequence, sentAt: start + sequence });

/** Ranges of deleted messages, retained messages or gaps, some long enough to skip. */
const history = fc.array(
  fc.record({
    state: fc.constantFrom('retained', 'deleted', 'deleted', 'gap'),
    length: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 10, max: 120 })),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('A conversation with many deleted messages', () => {
  test('is listed completely from any cursor in both directions, regardless of the stored range bounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.boolean()),
        fc.array(fc.nat(), { minLength: 200, maxLength: 200 }),
        fc.infiniteStream(fc.constantFrom(0, 0, 0, 0, 0, 61_000)),
        async (runs, cursors, limit, scans, order, pauses) => {
          const states = runs.flatMap(({ state, length }) => Array.from({ length }, () => state));
          const { id } = await create(ann, { contact_id: 'bob' });
          const timeOf = (n: number) => (states[n - 1] === 'gap' ? undefined : start + n);
          await seedMessages(id, 'ann', states.length, timeOf);
          const deletedSequences = states.flatMap((state, n) =>
            state === 'deleted' ? [n + 1] : [],
          );
          jest.spyOn(random, 'oneIn').mockImplementation(() => scans.next().value ?? false);
          let later = 0;
          jest.spyOn(clock, 'now').mockImplementation(() => now() + later);
          for (const sequence of deletedSequences.sort(
            (a, b) => (order[a % 200] ?? 0) - (order[b % 200] ?? 0),
          )) {
            await removeMessage(ann, idAt(id, sequence));
            later += pauses.next().value ?? 0;
          }

          const retained = states.flatMap((state, n) => (state === 'retained' ? [n + 1] : []));
          for (const pick of cursors) {
            const from = (pick % states.length) + 1;
            later += pauses.next().value ?? 0;
            const page = (query: Record<string, string>) =>
              list(bob, id, { limit: String(limit), ...query });
            const older = await page({ starting_after: idAt(id, from) });
            const newer = await page({ ending_before: idAt(id, from) });
            const below = retained.filter((sequence) => sequence < from).reverse();
            const above = retained.filter((sequence) => sequence > from);
            expect({ ...older, data: older.data.map((one) => one.id) }).toEqual({
              has_more: below.length > limit,
              data: below.slice(0, limit).map((sequence) => idAt(id, sequence)),
            });
            expect({ ...newer, data: newer.data.map((one) => one.id) }).toEqual({
              has_more: above.length > limit,
              data: above
                .slice(0, limit)
                .map((sequence) => idAt(id, sequence))
                .reverse(),
            });
          }
        },
      ),
      { numRuns: selectSize(2, 25) },
    );
  });

  test('includes a message that is stored after the messages around it were deleted', async () => {
    jest.spyOn(random, 'oneIn').mockReturnValue(true);
    const { id } = await create(ann, { contact_id: 'bob' });
    await seedMessages(id, 'ann', 40, (sequence) => start + sequence);
    for (let sequence = 21; sequence <= 40; sequence++)
      await removeMessage(ann, idAt(id, sequence));
    const { paused, resume, undo } = pauseFirstMessagePut();
    const slow = send(ann, id, 'slow');
    await paused;
    const above: string[] = [];
    for (let n = 0; n < 40; n++) above.push((await send(ann, id, String(n))).id);
    for (const one of above) await removeMessage(ann, one);
    resume();
    const { id: arrived } = await slow;
    undo();

    const all = await list(bob, id, { limit: '100' });
    expect(all.data).toHaveLength(21);
    expect(all.data[0]).toMatchObject({ id: arrived, message: 'slow' });
    const { data } = await list(bob, id, { ending_before: all.data[1]?.id ?? '' });
    expect(data.map((one) => one.id)).toEqual([arrived]);
  });
});
