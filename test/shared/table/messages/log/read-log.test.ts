import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
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
import { interceptCalls } from '../../../../support/table/call-hooks.ts';
import { readStoredLog, seedLog, sequences } from '../../../../support/table/message-log.ts';
import '../../../../support/setup/use-table.ts';

const now = Date.now();
/** Nothing that was given out then may still be filled. */
const longAgo = now - 60_001;

let id: string;
const undo: (() => void)[] = [];
beforeEach(() => {
  jest.spyOn(clock, 'now').mockReturnValue(now);
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  id = newConversationId(now);
});
afterEach(() => {
  for (const one of undo.splice(0)) one();
  jest.restoreAllMocks();
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

/** The place of a message that was deleted a moment ago. */
const tombstone = (sequence: number, more: Partial<MessageTombstone> = {}): MessageTombstone => ({
  sequence,
  previous_at: longAgo,
  deletion: 'd',
  deleted_at: now,
  ...more,
});
const tombstones = (from: number, to: number): LogEntry[] =>
  sequences(from, to).map((sequence) => tombstone(sequence));
/** Markers of which those at the ends tell each other where the run ends. */
const run = (from: number, to: number): LogEntry[] =>
  sequences(from, to).map((n) =>
    tombstone(n, n === from || n === to ? { empty_from: from, empty_to: to } : {}),
  );

/** The places of the messages that a reader gets, and of how many items each call asked. */
async function read(range: Omit<LogRange, 'conversationId'>) {
  const limits: unknown[] = [];
  undo.push(
    interceptCalls(async ({ command, input }, goOn) => {
      if (command === 'QueryCommand') limits.push('Limit' in input && input.Limit);
      await goOn();
    }),
  );
  const found = await readMessages(await openLog({ conversationId: id, ...range }));
  for (const one of undo.splice(0)) one();
  return { places: found.messages.map(({ sequence }) => sequence), more: found.more, limits };
}

describe('A reading of a log', () => {
  test.each<[string, Omit<LogRange, 'conversationId'>, number[], boolean, number[]]>([
    ['the newest', { direction: 'older', count: 3 }, [5, 4, 3], true, [3]],
    [
      'all, and one more than there are',
      { direction: 'older', count: 6 },
      [5, 4, 3, 2, 1],
      false,
      [6],
    ],
    ['older ones', { direction: 'older', from: 4, count: 2 }, [3, 2], true, [3]],
    ['none below the first', { direction: 'older', from: 1, count: 2 }, [], false, [3]],
    ['the first', { direction: 'newer', count: 3 }, [1, 2, 3], true, [3]],
    ['newer ones', { direction: 'newer', from: 2, count: 2 }, [3, 4], true, [3]],
    [
      'the last, and one more than there are',
      { direction: 'newer', from: 2, count: 4 },
      [3, 4, 5],
      false,
      [5],
    ],
    ['none above the last', { direction: 'newer', from: 5, count: 2 }, [], false, [3]],
  ])('is read by one call: %s', async (_, range, expected, more, limits) => {
    await seedLog(id, messages(1, 5));
    expect(await read(range)).toEqual({ places: expected, more, limits });
  });

  test('of which more is read than was wanted has the first of it, and says that there is more', async () => {
    await seedLog(id, [...messages(1, 4), ...tombstones(5, 6)]);
    expect(await read({ direction: 'older', count: 2 })).toEqual({
      places: [4, 3],
      more: true,
      limits: [2, 6],
    });
  });

  test('that is all there is, and was read by more than was wanted, says that there is no more', async () => {
    await seedLog(id, [...messages(1, 2), ...tombstones(3, 4)]);
    expect(await read({ direction: 'older', count: 2 })).toEqual({
      places: [2, 1],
      more: false,
      limits: [2, 6],
    });
  });

  test('is read on as if it went on as thick as so far', async () => {
    await seedLog(
      id,
      sequences(1, 100).map((n) => (n % 5 === 0 ? message(n) : tombstone(n))),
    );
    expect(await read({ direction: 'newer', from: 0, count: 8 })).toEqual({
      places: [5, 10, 15, 20, 25, 30, 35, 40],
      more: true,
      limits: [9, 36],
    });
  });

  test('is read by three times as many places as before at most, and a thousand, as there may be messages behind', async () => {
    await seedLog(id, tombstones(1, 30));
    expect(await read({ direction: 'older', count: 40 })).toEqual({
      places: [],
      more: false,
      limits: [40],
    });
    await seedLog(id, tombstones(31, 41));
    expect(await read({ direction: 'older', count: 40 })).toEqual({
      places: [],
      more: false,
      limits: [40, 120],
    });
    await seedLog(id, tombstones(42, 1301));
    expect(await read({ direction: 'older', count: 100 })).toEqual({
      places: [],
      more: false,
      limits: [100, 300, 900, 1000],
    });
  });
});

describe('Over a run of empty places', () => {
  beforeEach(() => seedLog(id, [...messages(1, 3), ...run(4, 303), ...messages(304, 306)]));

  test('a reader leaps, downwards', async () => {
    expect(await read({ direction: 'older', count: 5 })).toEqual({
      places: [306, 305, 304, 3, 2],
      more: true,
      limits: [5, 3],
    });
  });

  test('a reader leaps, upwards', async () => {
    expect(await read({ direction: 'newer', from: 0, count: 5 })).toEqual({
      places: [1, 2, 3, 304, 305],
      more: true,
      limits: [6, 3],
    });
  });
});

describe('A run that is as soon read as leapt over', () => {
  test.each<[string, number, number[]]>([
    ['is read', 68, [5, 4]],
    ['is leapt over where it is one longer', 69, [5, 3]],
  ])('%s: downwards', async (_, to, limits) => {
    await seedLog(id, [...messages(1, 2), ...run(3, to), ...messages(to + 1, to + 3)]);
    const { limits: asked } = await read({ direction: 'older', count: 5 });
    expect(asked.slice(0, 2)).toEqual(limits);
  });

  test.each<[string, number, number[]]>([
    ['is read', 68, [5, 4]],
    ['is leapt over where it is one longer', 69, [5, 3]],
  ])('%s: upwards', async (_, to, limits) => {
    await seedLog(id, [...messages(1, 3), ...run(4, to + 1), ...messages(to + 2, to + 4)]);
    const { limits: asked } = await read({ direction: 'newer', count: 5 });
    expect(asked.slice(0, 2)).toEqual(limits);
  });
});

describe('Who has read through many empty places', () => {
  const noted = async () => (await readStoredLog(id)).filter((one) => 'empty_from' in one).length;

  test.each([
    ['64 of them to find two messages: is not bothered', 2, 64, 0],
    ['65 of them to find two messages: tells where they end', 2, 65, 2],
    ['six to each of twenty messages: is not bothered', 20, 120, 0],
    ['more than six to each of twenty messages: tells where they end', 20, 121, 2],
  ])('%s', async (_, count, empty, notes) => {
    const half = count / 2;
    await seedLog(id, [
      ...messages(1, half),
      ...tombstones(half + 1, half + empty),
      ...messages(half + empty + 1, count + empty),
    ]);
    const { places: found } = await read({ direction: 'older', count });
    expect(found).toHaveLength(count);
    expect(await noted()).toBe(notes);
  });

  test('gets what there is though that cannot be noted', async () => {
    await seedLog(id, [...messages(1, 1), ...tombstones(2, 66), ...messages(67, 67)]);
    beginInvocation();
    undo.push(
      interceptCalls(async ({ command }, goOn) => {
        if (command === 'UpdateItemCommand') throw new Error('The table does not take it.');
        await goOn();
      }),
    );
    const reading = await openLog({ conversationId: id, direction: 'older', count: 2 });
    const { messages: found } = await readMessages(reading);
    expect(found.map(({ sequence }) => sequence)).toEqual([67, 1]);
    expect(getInvocationFacts({})).toMatchObject({ lost_marks: 1 });
  });
});

describe('A place that may still be filled', () => {
  test.each<['older' | 'newer', number[]]>([
    ['older', [3, 2, 1]],
    ['newer', [1, 2, 3]],
  ])('is waited for, and what comes is given in its order: %s', async (direction, expected) => {
    await seedLog(id, [message(1), message(3, now)]);
    jest.spyOn(clock, 'sleep').mockImplementation(() => seedLog(id, [message(2)]));
    expect((await read({ direction, count: 3 })).places).toEqual(expected);
  });

  /** Which places a reader has decided. */
  async function decided(range: Omit<LogRange, 'conversationId'>): Promise<number[]> {
    const before = (await readStoredLog(id)).map(({ sequence }) => sequence);
    await read(range);
    const after = (await readStoredLog(id)).map(({ sequence }) => sequence);
    return after.filter((one) => !before.includes(one));
  }

  test.each([
    ['that was given out a minute ago is waited for, and decided', now - 60_000, [2, 3]],
    ['that was given out longer ago is nobody’s any more, and left as it is', longAgo, []],
  ])('%s', async (_, givenOut, sequences) => {
    await seedLog(id, [message(1), message(4, givenOut)]);
    expect(await decided({ direction: 'older', count: 10 })).toEqual(sequences);
    expect(clock.sleep).toHaveBeenCalledTimes(sequences.length > 0 ? 1 : 0);
  });

  test('is decided down to the log’s first, where that was read', async () => {
    await seedLog(id, [message(3, now), message(4)]);
    expect(await decided({ direction: 'older', count: 10 })).toEqual([1, 2]);
  });

  test('is left to others where it lies below what was read', async () => {
    await seedLog(id, [message(1), message(3, now), message(5, now), message(6)]);
    expect(await decided({ direction: 'older', count: 3 })).toEqual([4]);
  });

  test('is decided from the place on from which a reader reads upwards', async () => {
    await seedLog(id, [message(1), message(5, now), message(7)]);
    expect(await decided({ direction: 'newer', from: 2, count: 10 })).toEqual([3, 4]);
  });

  test('is decided from the log’s first on by who reads all of it upwards', async () => {
    await seedLog(id, [message(3, now)]);
    expect(await decided({ direction: 'newer', count: 10 })).toEqual([1, 2]);
  });
});

test('No more is read than one reply can hold, and one call gives', async () => {
  const text = 'x'.repeat(250_000);
  for (const n of sequences(1, 30)) await seedLog(id, [message(n, longAgo, text)]);
  const { places: found, more } = await read({ direction: 'older', count: 30 });
  expect(found).toEqual(sequences(30 - found.length + 1, 30).reverse());
  expect({ found: found.length > 20 && found.length <= 25, more }).toEqual({
    found: true,
    more: true,
  });
});
