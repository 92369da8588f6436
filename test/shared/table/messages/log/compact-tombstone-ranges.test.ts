import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { newConversationId } from '../../../../../shared/ids.ts';
import { beginInvocation } from '../../../../../shared/log/invocation.ts';
import { usage } from '../../../../../shared/log/usage.ts';
import { compactTombstoneRanges } from '../../../../../shared/table/messages/log/compact-tombstone-ranges.ts';
import {
  type LogEntry,
  type MessageTombstone,
  newMessage,
} from '../../../../../shared/table/messages/log/message-item.ts';
import { readStoredLog, seedLog, sequences } from '../../../../support/seeds/message-log.ts';
import '../../../../support/setup/use-table.ts';

const now = clock.now();
/** Requests that began at this time or earlier have ended. */
const longAgo = now - 60_001;

let id: string;
beforeEach(() => {
  jest.spyOn(clock, 'now').mockReturnValue(now);
  id = newConversationId(now);
});
/** Returns a tombstone. By default, the deletion and the reservation are over a minute old. */
const tombstone = (sequence: number, more: Partial<MessageTombstone> = {}): MessageTombstone => ({
  sequence,
  previous_at: longAgo,
  deletion: 'd',
  deleted_at: longAgo,
  ...more,
});

const message = (sequence: number) =>
  newMessage(
    { conversationId: id, sequence, sentAt: longAgo },
    'ann',
    { message: 'hello', attachments: [] },
    longAgo,
  );

const tombstones = (from: number, to: number, more: Partial<MessageTombstone> = {}) =>
  sequences(from, to).map((sequence) => tombstone(sequence, more));

/** A deletion so recent that it may still be in flight. */
const justDeleted = { deleted_at: longAgo + 1 };

async function compacted(entries: LogEntry[]): Promise<LogEntry[]> {
  await seedLog(id, entries);
  await compactTombstoneRanges(id, entries);
  return readStoredLog(id);
}

describe('The bounds of a tombstone range', () => {
  test('are stored at both ends if the range has more than 64 tombstones', async () => {
    const run = tombstones(3, 67, justDeleted);
    const bound = { ...justDeleted, empty_from: 3, empty_to: 67 };
    expect(await compacted([message(2), ...run, message(68)])).toEqual([
      message(2),
      tombstone(3, bound),
      ...run.slice(1, -1),
      tombstone(67, bound),
      message(68),
    ]);
  });

  test('are not stored if the range has at most 64 tombstones', async () => {
    const run = tombstones(1, 64, justDeleted);
    expect(await compacted(run)).toEqual(run);
  });

  test('include ranges that earlier readers stored', async () => {
    const far = { ...justDeleted, empty_from: 1, empty_to: 300 };
    const [low, high] = [
      tombstone(200, { ...justDeleted, empty_from: 1, empty_to: 200 }),
      tombstone(201, { ...justDeleted, empty_from: 201, empty_to: 300 }),
    ];
    expect(await compacted([low, high])).toEqual([tombstone(200, far), tombstone(201, far)]);
  });

  test('are stored once: a later reader writes nothing', async () => {
    const bound = { ...justDeleted, empty_from: 1, empty_to: 65 };
    const run = [tombstone(1, bound), ...tombstones(2, 64, justDeleted), tombstone(65, bound)];
    beginInvocation();
    await compactTombstoneRanges(id, run);
    expect(usage.table_calls).toBe(0);
  });

  test.each<[string, Partial<MessageTombstone>]>([
    ['below', { empty_from: 1, empty_to: 100 }],
    ['above', { empty_from: 100, empty_to: 200 }],
  ])(
    'are not replaced if another reader has stored bounds that extend further %s',
    async (_, longer) => {
      const read = tombstones(100, 164, justDeleted);
      await seedLog(id, [tombstone(100, { ...justDeleted, ...longer })]);
      await compactTombstoneRanges(id, read);
      expect(await readStoredLog(id)).toEqual([tombstone(100, { ...justDeleted, ...longer })]);
    },
  );

  test('are replaced by wider bounds', async () => {
    await seedLog(id, [tombstone(100, { ...justDeleted, empty_from: 100, empty_to: 110 })]);
    await compactTombstoneRanges(id, tombstones(100, 164, justDeleted));
    expect(await readStoredLog(id)).toEqual([
      tombstone(100, { ...justDeleted, empty_from: 100, empty_to: 164 }),
    ]);
  });

  test('are not stored if their tombstones have been removed', async () => {
    await compactTombstoneRanges(id, tombstones(1, 65, justDeleted));
    expect(await readStoredLog(id)).toEqual([]);
  });
});

describe('A tombstone range', () => {
  const toBound = (from: number, to: number) => ({
    ...justDeleted,
    empty_from: from,
    empty_to: to,
  });
  const young = { previous_at: now - 60_000 };

  test('has bounds at both ends and at every 500th tombstone', async () => {
    const bounds = [1, 501, 1001, 1100];
    const others = [2, 500, 502, 1000, 1002, 1099];
    await seedLog(
      id,
      [...bounds, ...others].map((n) => tombstone(n, justDeleted)),
    );
    await compactTombstoneRanges(id, tombstones(1, 1100, justDeleted));
    expect(await readStoredLog(id)).toEqual(
      [
        ...bounds.map((n) => tombstone(n, toBound(1, 1100))),
        ...others.map((n) => tombstone(n, justDeleted)),
      ].toSorted((a, b) => a.sequence - b.sequence),
    );
  });

  test('includes sequence numbers without an item if no send in progress can fill them', async () => {
    expect(await compacted([tombstone(1, justDeleted), tombstone(65, justDeleted)])).toEqual([
      tombstone(1, toBound(1, 65)),
      tombstone(65, toBound(1, 65)),
    ]);
    const last = tombstone(165, { ...justDeleted, ...young });
    expect(await compacted([tombstone(101, justDeleted), last])).toContainEqual(last);
  });

  test.each([
    ['both are adjacent', tombstone(64, justDeleted), tombstone(65, { ...justDeleted, ...young })],
    [
      'the lower bound covers the numbers in between',
      tombstone(1, toBound(1, 64)),
      tombstone(65, { ...justDeleted, ...young }),
    ],
    [
      'the upper bound covers the numbers in between',
      tombstone(1, justDeleted),
      tombstone(65, { ...toBound(2, 65), ...young }),
    ],
  ])(
    'extends to a tombstone above a recent reservation if no gap lies in between: %s',
    async (_, low, high) => {
      const below = low.sequence === 64 ? [tombstone(1, justDeleted)] : [];
      const run = await compacted([...below, low, high]);
      expect(run.at(-1)).toEqual({ ...high, empty_from: 1, empty_to: 65 });
    },
  );

  test.each([
    [
      'the lower bound covers all numbers but one',
      tombstone(1, toBound(1, 63)),
      tombstone(65, { ...justDeleted, ...young }),
    ],
    [
      'the upper bound covers all numbers but one',
      tombstone(1, justDeleted),
      tombstone(65, { ...toBound(3, 65), ...young }),
    ],
  ])('ends where a message may still be written: %s', async (_, low, high) => {
    expect(await compacted([low, high])).toEqual([low, high]);
  });

  test('ends at a message', async () => {
    const log = [
      ...tombstones(1, 40, justDeleted),
      message(41),
      ...tombstones(42, 81, justDeleted),
    ];
    expect(await compacted(log)).toEqual(log);
  });

  test('does not depend on the order or repetition of the entries', async () => {
    const run = tombstones(1, 65, justDeleted);
    await seedLog(id, run);
    await compactTombstoneRanges(id, [...run.slice(30).reverse(), ...run]);
    expect(await readStoredLog(id)).toEqual([
      tombstone(1, toBound(1, 65)),
      ...run.slice(1, -1),
      tombstone(65, toBound(1, 65)),
    ]);
  });

  test('and the other ranges of a call share a limit of twenty updated tombstones', async () => {
    const starts = sequences(0, 10).map((n) => 1 + 100 * n);
    const ends = starts.flatMap((start) => [
      tombstone(start, justDeleted),
      tombstone(start + 64, justDeleted),
    ]);
    await seedLog(id, ends);
    await compactTombstoneRanges(
      id,
      starts.flatMap((start) => [
        ...tombstones(start, start + 64, justDeleted),
        message(start + 65),
      ]),
    );
    expect((await readStoredLog(id)).filter((one) => 'empty_from' in one)).toHaveLength(20);
  });
});

describe('Between the bounds of a range,', () => {
  const compactSequences = async (entries: LogEntry[]) =>
    (await compacted(entries)).map(({ sequence }) => sequence);

  test('unneeded tombstones are removed, even in a short range', async () => {
    expect(await compactSequences([message(1), ...tombstones(2, 8), message(9)])).toEqual([
      1, 2, 8, 9,
    ]);
  });

  test('a call removes at most 25 tombstones', async () => {
    expect(await compactSequences(tombstones(1, 40))).toEqual([1, ...sequences(27, 40)]);
  });

  test('tombstones are removed even if they were read twice', async () => {
    const run = tombstones(1, 5);
    await seedLog(id, run);
    await compactTombstoneRanges(id, [...run, ...run]);
    expect(await readStoredLog(id)).toEqual([tombstone(1), tombstone(5)]);
  });

  test('a tombstone remains if another reader stored range bounds in it', async () => {
    const bounds = tombstone(3, { empty_from: 1, empty_to: 5 });
    expect(await compactSequences([...tombstones(1, 2), bounds, ...tombstones(4, 5)])).toEqual([
      1, 3, 5,
    ]);
  });

  test('a tombstone remains if a request in flight may have created it', async () => {
    const fresh = tombstone(3, { deleted_at: now - 60_000 });
    expect(await compactSequences([...tombstones(1, 2), fresh, ...tombstones(4, 5)])).toEqual([
      1, 3, 5,
    ]);
  });

  test('the tombstone of a gap that a reader filled is removed', async () => {
    const { deletion: _, deleted_at: __, ...byReader } = tombstone(2);
    expect(await compactSequences([tombstone(1), byReader, tombstone(3)])).toEqual([1, 3]);
  });

  test('the tombstone of a sequence number reserved within the last minute remains, because a send may still need it', async () => {
    const above = tombstone(4, { previous_at: now - 60_000 });
    expect(await compactSequences([...tombstones(1, 3), above, tombstone(5)])).toEqual([1, 3, 5]);
  });
});
