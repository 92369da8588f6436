import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../../shared/errors.ts';
import { messageId } from '../../../../shared/ids.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { feedWriter } from '../../../../shared/table/feed/append.ts';
import type { Positions } from '../../../../shared/table/feed/cursor.ts';
import { entryText } from '../../../../shared/table/feed/entry.ts';
import { positionsAfter, readFeeds } from '../../../../shared/table/feed/read.ts';
import { around } from '../../../support/faults.ts';
import { sized } from '../../../support/size.ts';
import '../../../support/table.ts';

/** A writer's calls of the table, which may be its last. */
interface Life {
  /** Taken from the front, one for each call; none is `lives`. */
  fates: ('lives' | 'dies before' | 'dies after')[];
}
const lives = new AsyncLocalStorage<Life>();

class Dead extends Error {}

let feeds = 0;
/** A long id, so that chunks are short. */
const newInbox = (): Inbox => ({ kind: 'group', id: `${feeds++}`.padStart(128, 'g') });

/** The n-th entry of a writer. */
const textOf = (writer: number, n: number) =>
  entryText({
    type: 'message.created',
    id: messageId({
      conversationId: `0000000000000000000000000${writer}`,
      sequence: n + 1,
      sentAt: 0,
    }),
    version: 1,
    at: n,
  });

/** Reads on from where it is, and holds on to what it was given. */
function readerOf(inbox: Inbox, limit: number) {
  let positions: Positions | undefined;
  const places: number[] = [];
  const texts: string[] = [];
  const read = async () => {
    const { start, entries, more } = await readFeeds([inbox], positions, limit);
    positions = positionsAfter(start, entries);
    places.push(...entries.map(({ place }) => place));
    texts.push(...entries.map(({ entry }) => entryText(entry)));
    return more;
  };
  return { read, places, texts };
}

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant('lives' as const) },
  { weight: 1, arbitrary: fc.constantFrom('dies before' as const, 'dies after' as const) },
);
const writers = fc.array(
  fc.record({
    batches: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
    fates: fc.array(fate, { maxLength: 30 }),
  }),
  { minLength: 2, maxLength: 4 },
);
const readers = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 2 });

test('whoever goes on from their cursor is given every entry, at its place, whatever becomes of those who write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), writers, readers, async (scheduler, plans, limits) => {
      const inbox = newInbox();
      const undo = around(async (_, goOn) => {
        await scheduler.schedule(Promise.resolve());
        const next = lives.getStore()?.fates.shift();
        if (next === 'dies before') throw new Dead();
        await goOn();
        if (next === 'dies after') throw new Dead();
      });
      const placed = new Map<string, number>();
      const write = async ({ batches, fates }: (typeof plans)[number], writer: number) => {
        let append = feedWriter();
        let n = 0;
        for (const size of batches) {
          const texts = Array.from({ length: size }, () => textOf(writer, n++));
          for (;;) {
            try {
              const places = await lives.run({ fates }, () => append(inbox, texts));
              for (const [text, place] of places) placed.set(text, place);
              break;
            } catch (error) {
              if (!(error instanceof ApiError && error.cause instanceof Dead)) throw error;
              // Who comes next knows nothing.
              append = feedWriter();
            }
          }
        }
      };
      const people = limits.map((limit) => readerOf(inbox, limit));
      let writing = plans.length;
      const readOn = async ({ read }: (typeof people)[number]) => {
        while (writing > 0) await read();
        while (await read());
      };
      await scheduler
        .waitFor(
          Promise.all([
            ...plans.map((plan, writer) => write(plan, writer).finally(() => writing--)),
            ...people.map(readOn),
          ]),
        )
        .finally(undo);

      const late = readerOf(inbox, 50);
      while (await late.read());
      const written = plans.flatMap(({ batches }, writer) =>
        Array.from({ length: batches.reduce((sum, size) => sum + size, 0) }, (_, n) =>
          textOf(writer, n),
        ),
      );
      expect([...new Set(late.texts)].sort()).toEqual(written.sort());
      expect(late.places).toEqual(late.places.map((_, n) => n + 1));
      for (const [text, place] of placed) expect(late.texts[place - 1]).toBe(text);
      for (const { places, texts } of people) {
        expect(places).toEqual(late.places);
        expect(texts).toEqual(late.texts);
      }
    }),
    { numRuns: sized(15, 1000) },
  );
}, 300_000);
