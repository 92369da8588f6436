import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { newConversationId } from '../../../../../shared/ids.ts';
import { beginInvocation, getInvocationFacts } from '../../../../../shared/log/invocation.ts';
import type {
  LogEntry,
  MessageTombstone,
} from '../../../../../shared/table/messages/log/message-item.ts';
import { newMessage } from '../../../../../shared/table/messages/log/message-item.ts';
import {
  type LogRange,
  openLog,
  readMessages,
} from '../../../../../shared/table/messages/log/read-log.ts';
import { readStoredLog, seedLog, sequences } from '../../../../support/seeds/message-log.ts';
import { interceptCalls } from '../../../../support/table/call-hooks.ts';
import '../../../../support/setup/use-table.ts';

const now = clock.now();
/** Reservations from this time or earlier can no longer be filled. */
const longAgo = now - 60_001;

let id: string;
beforeEach(() => {
  jest.spyOn(clock, 'now').mockReturnValue(now);
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  id = newConversationId(now);
});

const message = (sequence: number, previousAt = longAgo, text = 'hello') =>
  newMessage(
    { conversationId: id, sequence, sentAt: longAgo },
    'ann',
    { message: text, attachments: [] },
    previousAt,
  );
const messages = (from: number, to: number): LogEntry[] =>
  sequences(from, to).map((sequence) => message(sequence));

/** Returns the tombstone of a message that was deleted just now. */
const tombstone = (sequence: number, more: Partial<MessageTombstone> = {}): MessageTombstone => ({
  sequence,
  previous_at: longAgo,
  deletion: 'd',
  deleted_at: now,
  ...more,
});
const tombstones = (from: number, to: number): LogEntry[] =>
  sequences(from, to).map((sequence) => tombstone(sequence));
/** Returns tombstones with range bounds at both ends. */
const run = (from: number, to: number): LogEntry[] =>
  sequences(from, to).map((n) =>
    tombstone(n, n === from || n === to ? { empty_from: from, empty_to: to } : {}),
  );

/** Returns the sequence numbers of the messages, and the limit of each query. */
async function read(range: Omit<LogRange, 'conversationId'>) {
  const limits: unknown[] = [];
  const undo = interceptCalls(async ({ operation, input }, proceed) => {
    if (operation === 'Query') limits.push('Limit' in input && input.Limit);
    await proceed();
  });
  const page = await readMessages(await openLog({ conversationId: id, ...range }));
  undo();
  return { found: page.messages.map(({ sequence }) => sequence), more: page.hasMore, limits };
}

describe('A read of a log', () => {
  test.each<[string, Omit<LogRange, 'conversationId'>, number[], boolean, number[]]>([
    ['the newest messages', { direction: 'older', count: 3 }, [5, 4, 3], true, [3]],
    [
      'all messages, with a limit one above their number',
      { direction: 'older', count: 6 },
      [5, 4, 3, 2, 1],
      false,
      [6],
    ],
    ['older messages', { direction: 'older', from: 4, count: 2 }, [3, 2], true, [3]],
    ['no messages below the first', { direction: 'older', from: 1, count: 2 }, [], false, [3]],
    ['the first messages', { direction: 'newer', count: 3 }, [1, 2, 3], true, [3]],
    ['newer messages', { direction: 'newer', from: 2, count: 2 }, [3, 4], true, [3]],
    [
      'the last messages, with a limit one above their number',
      { direction: 'newer', from: 2, count: 4 },
      [3, 4, 5],
      false,
      [5],
    ],
    ['no messages above the last', { direction: 'newer', from: 5, count: 2 }, [], false, [3]],
  ])('takes one call: %s', async (_, range, expected, more, limits) => {
    await seedLog(id, messages(1, 5));
    expect(await read(range)).toEqual({ found: expected, more, limits });
  });

  test('that finds more messages than requested returns the requested number and reports that there are more', async () => {
    await seedLog(id, [...messages(1, 4), ...tombstones(5, 6)]);
    expect(await read({ direction: 'older', count: 2 })).toEqual({
      found: [4, 3],
      more: true,
      limits: [2, 6],
    });
  });

  test('that finds exactly the requested number of messages reports that there are no more', async () => {
    await seedLog(id, [...messages(1, 2), ...tombstones(3, 4)]);
    expect(await read({ direction: 'older', count: 2 })).toEqual({
      found: [2, 1],
      more: false,
      limits: [2, 6],
    });
  });

  test('continues with a limit based on the share of messages among the entries read so far', async () => {
    await seedLog(
      id,
      sequences(1, 100).map((n) => (n % 5 === 0 ? message(n) : tombstone(n))),
    );
    expect(await read({ direction: 'newer', from: 0, count: 8 })).toEqual({
      found: [5, 10, 15, 20, 25, 30, 35, 40],
      more: true,
      limits: [9, 36],
    });
  });

  test('that requests 40 or more messages continues with at most three times the previous limit, and at most 1,000 entries', async () => {
    await seedLog(id, tombstones(1, 30));
    expect(await read({ direction: 'older', count: 40 })).toEqual({
      found: [],
      more: false,
      limits: [40],
    });
    await seedLog(id, tombstones(31, 41));
    expect(await read({ direction: 'older', count: 40 })).toEqual({
      found: [],
      more: false,
      limits: [40, 120],
    });
    await seedLog(id, tombstones(42, 1301));
    expect(await read({ direction: 'older', count: 100 })).toEqual({
      found: [],
      more: false,
      limits: [100, 300, 900, 1000],
    });
  });
});

describe('At a tombstone range,', () => {
  beforeEach(() => seedLog(id, [...messages(1, 3), ...run(4, 303), ...messages(304, 306)]));

  test('a reader of older messages skips the range', async () => {
    expect(await read({ direction: 'older', count: 5 })).toEqual({
      found: [306, 305, 304, 3, 2],
      more: true,
      limits: [5, 3],
    });
  });

  test('a reader of newer messages skips the range', async () => {
    expect(await read({ direction: 'newer', from: 0, count: 5 })).toEqual({
      found: [1, 2, 3, 304, 305],
      more: true,
      limits: [6, 3],
    });
  });
});

describe('A tombstone range', () => {
  test.each<[string, number, number[]]>([
    ['with 64 unread tombstones is read', 68, [5, 4]],
    ['with 65 unread tombstones is skipped', 69, [5, 3]],
  ])('%s by a reader of older messages', async (_, to, limits) => {
    await seedLog(id, [...messages(1, 2), ...run(3, to), ...messages(to + 1, to + 3)]);
    const { limits: used } = await read({ direction: 'older', count: 5 });
    expect(used.slice(0, 2)).toEqual(limits);
  });

  test.each<[string, number, number[]]>([
    ['with 64 unread tombstones is read', 68, [5, 4]],
    ['with 65 unread tombstones is skipped', 69, [5, 3]],
  ])('%s by a reader of newer messages', async (_, to, limits) => {
    await seedLog(id, [...messages(1, 3), ...run(4, to + 1), ...messages(to + 2, to + 4)]);
    const { limits: used } = await read({ direction: 'newer', count: 5 });
    expect(used.slice(0, 2)).toEqual(limits);
  });
});

describe('A reader', () => {
  const countBounds = async () =>
    (await readStoredLog(id)).filter((one) => 'empty_from' in one).length;

  test.each([
    ['of 64 tombstones and two messages stores no range bounds', 2, 64, 0],
    ['of 65 tombstones and two messages stores the range bounds', 2, 65, 2],
    ['of six tombstones for each of twenty messages stores no range bounds', 20, 120, 0],
    ['of more than six tombstones for each of twenty messages stores the range bounds', 20, 121, 2],
  ])('%s', async (_, count, empty, boundCount) => {
    const half = count / 2;
    await seedLog(id, [
      ...messages(1, half),
      ...tombstones(half + 1, half + empty),
      ...messages(half + empty + 1, count + empty),
    ]);
    const { found } = await read({ direction: 'older', count });
    expect(found).toHaveLength(count);
    expect(await countBounds()).toBe(boundCount);
  });

  test('returns the messages even if the range bounds cannot be stored, and records the failed write', async () => {
    await seedLog(id, [...messages(1, 1), ...tombstones(2, 66), ...messages(67, 67)]);
    beginInvocation();
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'UpdateItem') throw new Error('The table rejects the write.');
      await proceed();
    });
    const reading = await openLog({ conversationId: id, direction: 'older', count: 2 });
    const { messages: found } = await readMessages(reading);
    expect(found.map(({ sequence }) => sequence)).toEqual([67, 1]);
    expect(getInvocationFacts({})).toMatchObject({ lost_marks: 1 });
  });
});

describe('A gap', () => {
  test.each<['older' | 'newer', number[]]>([
    ['older', [3, 2, 1]],
    ['newer', [1, 2, 3]],
  ])(
    'delays a reader of %s messages, and a message stored in the gap meanwhile is returned in order',
    async (direction, expected) => {
      await seedLog(id, [message(1), message(3, now)]);
      jest.spyOn(clock, 'sleep').mockImplementation(() => seedLog(id, [message(2)]));
      expect((await read({ direction, count: 3 })).found).toEqual(expected);
    },
  );

  async function filledGaps(range: Omit<LogRange, 'conversationId'>): Promise<number[]> {
    const before = (await readStoredLog(id)).map(({ sequence }) => sequence);
    await read(range);
    const after = (await readStoredLog(id)).map(({ sequence }) => sequence);
    return after.filter((one) => !before.includes(one));
  }

  test.each([
    [
      'delays the reader and is filled with tombstones if reserved within the last minute',
      now - 60_000,
      [2, 3],
    ],
    ['neither delays the reader nor is filled if reserved more than a minute ago', longAgo, []],
  ])('%s', async (_, reservedAt, sequences) => {
    await seedLog(id, [message(1), message(4, reservedAt)]);
    expect(await filledGaps({ direction: 'older', count: 10 })).toEqual(sequences);
    expect(clock.sleep).toHaveBeenCalledTimes(sequences.length > 0 ? 1 : 0);
  });

  test('is filled with tombstones down to the start of the log if the read reaches the start', async () => {
    await seedLog(id, [message(3, now), message(4)]);
    expect(await filledGaps({ direction: 'older', count: 10 })).toEqual([1, 2]);
  });

  test('is not filled if it is below the entries that were read', async () => {
    await seedLog(id, [message(1), message(3, now), message(5, now), message(6)]);
    expect(await filledGaps({ direction: 'older', count: 3 })).toEqual([4]);
  });

  test('is filled with tombstones from the first sequence number of a read of newer messages', async () => {
    await seedLog(id, [message(1), message(5, now), message(7)]);
    expect(await filledGaps({ direction: 'newer', from: 2, count: 10 })).toEqual([3, 4]);
  });

  test('is filled with tombstones from the start of the log if a read of newer messages starts there', async () => {
    await seedLog(id, [message(3, now)]);
    expect(await filledGaps({ direction: 'newer', count: 10 })).toEqual([1, 2]);
  });
});
