import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { random, toMessageId } from '../../../shared/ids.ts';
import { create, list, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { ann, bob } from '../../support/handlers/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { sized } from '../../support/setup/sample-size.ts';
import { pauseFirstMessagePut } from '../../support/table/call-hooks.ts';
import { seedMessages } from '../../support/table/seed-messages.ts';
import '../../support/setup/use-table.ts';

const { now } = clock;
const start = now() - 120_000;

const idAt = (conversationId: string, sequence: number) =>
  toMessageId({ conversationId, sequence, sentAt: start + sequence });

/** Ranges of deleted messages, retained messages or gaps, some long enough to skip. */
const history = fc.array(
  fc.record({
    fate: fc.constantFrom('kept', 'deleted', 'deleted', 'dead'),
    length: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 10, max: 120 })),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('A conversation with many deleted messages', () => {
  test('is listed completely from any cursor in both directions, whichever range bounds are stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.boolean()),
        fc.array(fc.nat(), { minLength: 200, maxLength: 200 }),
        fc.infiniteStream(fc.constantFrom(0, 0, 0, 0, 0, 61_000)),
        async (runs, cursors, limit, looks, order, pauses) => {
          const fates = runs.flatMap(({ fate, length }) => Array.from({ length }, () => fate));
          const { id } = await create(ann, { contact_id: 'bob' });
          const timeOf = (n: number) => (fates[n - 1] === 'dead' ? undefined : start + n);
          await seedMessages(id, 'ann', fates.length, timeOf);
          const doomed = fates.flatMap((fate, n) => (fate === 'deleted' ? [n + 1] : []));
          jest.spyOn(random, 'oneIn').mockImplementation(() => looks.next().value ?? false);
          let later = 0;
          jest.spyOn(clock, 'now').mockImplementation(() => now() + later);
          for (const sequence of doomed.sort(
            (a, b) => (order[a % 200] ?? 0) - (order[b % 200] ?? 0),
          )) {
            await removeMessage(ann, idAt(id, sequence));
            later += pauses.next().value ?? 0;
          }

          const kept = fates.flatMap((fate, n) => (fate === 'kept' ? [n + 1] : []));
          for (const pick of cursors) {
            const from = (pick % fates.length) + 1;
            later += pauses.next().value ?? 0;
            const page = (query: Record<string, string>) =>
              list(bob, id, { limit: String(limit), ...query });
            const older = await page({ starting_after: idAt(id, from) });
            const newer = await page({ ending_before: idAt(id, from) });
            const below = kept.filter((sequence) => sequence < from).reverse();
            const above = kept.filter((sequence) => sequence > from);
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
      { numRuns: sized(2, 25) },
    );
  });

  test('includes a message that is stored after the messages around it were deleted', async () => {
    jest.spyOn(random, 'oneIn').mockReturnValue(true);
    const { id } = await create(ann, { contact_id: 'bob' });
    await seedMessages(id, 'ann', 40, (sequence) => start + sequence);
    for (let sequence = 21; sequence <= 40; sequence++)
      await removeMessage(ann, idAt(id, sequence));
    const { isHeld, resume: letGo, undo } = pauseFirstMessagePut();
    const slow = send(ann, id, 'slow');
    await isHeld;
    const above: string[] = [];
    for (let n = 0; n < 40; n++) above.push((await send(ann, id, String(n))).id);
    for (const one of above) await removeMessage(ann, one);
    letGo();
    const { id: arrived } = await slow;
    undo();

    const all = await list(bob, id, { limit: '100' });
    expect(all.data).toHaveLength(21);
    expect(all.data[0]).toMatchObject({ id: arrived, message: 'slow' });
    const { data } = await list(bob, id, { ending_before: all.data[1]?.id ?? '' });
    expect(data.map((one) => one.id)).toEqual([arrived]);
  });
});
