import { describe, expect, test } from '@jest/globals';
import type { MessagePosition } from '../../../../../shared/ids.ts';
import type { Item } from '../../../../../shared/table/calls/access.ts';
import { messageKey, toActivitySortKey } from '../../../../../shared/table/keys/keys.ts';
import type { MessageSource } from '../../../../../shared/table/messages/across/collect-messages.ts';
import { getOrder } from '../../../../../shared/table/messages/across/message-order.ts';
import { createMessageSources } from '../../../../../shared/table/messages/across/message-sources.ts';
import type { Direction } from '../../../../../shared/table/messages/log/message-item.ts';
import { ann } from '../../../../support/people/callers.ts';
import fc from '../../../../support/setup/fast-check.ts';
import { selectSize } from '../../../../support/setup/sample-size.ts';

const id = '01KAMB3YD2XY9Z0ABCDEFGHJKM';
/** Returns a position that sorts after the conversation's messages with the same timestamp. */
const foreignPosition = (sentAt: number): MessagePosition => ({
  conversationId: 'Z'.repeat(26),
  sequence: 1,
  sentAt,
});

type Kind = 'message' | 'deleted' | 'marked by a reader' | 'missing';
/** The content and the reservation time of each sequence number, from 1. */
type Log = { at: number; is: Kind; bounds?: { empty_from?: number; empty_to?: number } }[];

const messagesAt = (times: number[]): Log => times.map((at) => ({ at, is: 'message' }));

function itemAt(log: Log, sequence: number): Item | undefined {
  const { at = 0, is = 'missing', bounds } = log[sequence - 1] ?? {};
  const previous_at = log[sequence - 2]?.at ?? 0;
  if (is === 'missing') return undefined;
  if (is === 'message') return { sequence, created_at: at, previous_at };
  if (is === 'deleted') return { sequence, previous_at, deleted_at: at, ...bounds };
  return { sequence, previous_at: at, ...bounds };
}

/** Returns the sources of a walk in a conversation that was created at timestamp 100. */
function locatedIn(log: Log, start: MessagePosition | undefined, direction: Direction) {
  const last_message_at = log.at(-1)?.at ?? 0;
  const entry = {
    ...{ id, created_at: 100, last_message_at, message_count: log.length },
    activity: toActivitySortKey(last_message_at, id),
  };
  return createMessageSources({ caller: ann, direction, start, count: 10 }, entry);
}

const firstBound = (log: Log, start: MessagePosition) => locatedIn(log, start, 'newer')[0]?.bound;

/** Resolves all probes. Returns the start of the read, and the probes' sequence numbers. */
function located(log: Log, start: MessagePosition | undefined, direction: Direction) {
  const sequences = new Map(log.map((_, n) => [messageKey(id, n + 1).sk, n + 1]));
  let sources: MessageSource[] = locatedIn(log, start, direction);
  const probes: number[] = [];
  for (;;) {
    const [source, ...others] = sources;
    if (others.length > 0) throw new Error('One conversation has several sources.');
    if (!source?.probe) return { bound: source?.bound, probes };
    const sequence = sequences.get(source.probe.key.sk) ?? 0;
    probes.push(sequence);
    sources = source.probe.resolve(itemAt(log, sequence));
  }
}

function nextOf(log: Log, { sentAt }: MessagePosition, direction: Direction) {
  const messages = log
    .map(({ at, is }, n) => ({ conversationId: id, sequence: n + 1, sentAt: at, is }))
    .filter(({ is }) => is === 'message')
    .map(({ is, ...position }) => position);
  return direction === 'older'
    ? messages.findLast((one) => one.sentAt <= sentAt)
    : messages.find((one) => one.sentAt > sentAt);
}

/**
 * Maximum number of probes: eight for a binary search among 200 messages, two for an uneven
 * distribution, and one for the result.
 */
const maxProbes = 8 + 2 + 1;

describe('The start of a walk in a conversation', () => {
  test.each<
    [
      string,
      (n: number) => number,
      looksAtAll: number,
      change?: (one: Log[number], n: number) => Log[number],
    ]
  >([
    ['at a steady rate', (n) => 100 + n * 10, 1605],
    ['twenty at a time', (n) => 100 + Math.floor(n / 20) * 1000 + n, 5923],
    ['mostly recently', (n) => 100 + Math.floor(1e9 * (n / 200) ** 9), 6805],
    [
      'when the conversation was created, except one much later',
      (n) => (n < 200 ? 100 : 1000),
      4179,
    ],
    [
      'at a steady rate, and many were deleted',
      (n) => 100 + n * 10,
      2813,
      (one, n) => (n % 7 < 3 ? { ...one, is: 'deleted' } : one),
    ],
  ])(
    'is the next message, and takes at most 11 probes, if messages were sent %s',
    (_, timeOf, all, change = (one) => one) => {
      const log = messagesAt(Array.from({ length: 200 }, (_, n) => timeOf(n + 1))).map(change);
      const [found, expected, numbers]: [unknown[], unknown[], number[]] = [[], [], []];
      for (const { at } of log.slice(0, -1)) {
        for (const direction of ['older', 'newer'] as const) {
          for (const start of [foreignPosition(at), foreignPosition(at - 1)]) {
            const { bound, probes } = located(log, start, direction);
            found.push(bound);
            expected.push(nextOf(log, start, direction));
            numbers.push(probes.length);
          }
        }
      }
      expect(found).toEqual(expected);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(maxProbes);
      expect(numbers.reduce((sum, n) => sum + n)).toBe(all);
    },
  );

  test('takes one search probe, at the next sequence number, if the cursor is a message of the conversation', () => {
    const log = messagesAt(Array.from({ length: 200 }, (_, n) => 100 + Math.floor(n / 20) * 1000));
    for (const sequence of [1, 7, 30, 198]) {
      const at = { conversationId: id, sequence, sentAt: log[sequence - 1]?.at ?? 0 };
      const next = { conversationId: id, sequence: sequence + 1, sentAt: log[sequence]?.at ?? 0 };
      expect(located(log, at, 'older')).toEqual({ bound: at, probes: [sequence + 1, sequence] });
      expect(located(log, at, 'newer')).toEqual({
        bound: next,
        probes: [sequence + 1, sequence + 1],
      });
    }
  });

  test('takes no search probe if the cursor is the newest message, and one if the cursor is the message below the newest', () => {
    const log = messagesAt(Array.from({ length: 9 }, (_, n) => 101 + n));
    const ownPosition = (sequence: number) => ({
      conversationId: id,
      sequence,
      sentAt: 100 + sequence,
    });
    expect(located(log, ownPosition(9), 'older')).toEqual({ bound: ownPosition(9), probes: [9] });
    expect(located(log, ownPosition(9), 'newer')).toEqual({ probes: [] });
    expect(located(log, ownPosition(8), 'older')).toEqual({
      bound: ownPosition(8),
      probes: [8, 8],
    });
    expect(located(log, ownPosition(8), 'newer')).toEqual({
      bound: ownPosition(9),
      probes: [8, 9],
    });
  });

  test('takes its first probe near the first or last message if the cursor’s sequence number does not exist', () => {
    const log = messagesAt(Array.from({ length: 9 }, (_, n) => 100 + n));
    const unknownPosition = (sequence: number) => ({ conversationId: id, sequence, sentAt: 104 });
    expect(located(log, unknownPosition(0), 'older').probes[0]).toBe(1);
    expect(located(log, unknownPosition(0), 'newer').probes[0]).toBe(1);
    expect(located(log, unknownPosition(1000), 'older').probes[0]).toBe(8);
  });

  test('takes one search probe if the cursor is a deleted message, but needs a read if the next item is missing', () => {
    const log = messagesAt(Array.from({ length: 40 }, (_, n) => 100 + n)).with(19, {
      ...{ at: 119, is: 'deleted' },
    });
    const at = { conversationId: id, sequence: 20, sentAt: 119 };
    const older = { bound: { ...at, sequence: 19, sentAt: 118 }, probes: [21, 20, 19] };
    expect(located(log, at, 'older')).toEqual(older);
    expect(located(log.with(20, { at: 120, is: 'deleted' }), at, 'older')).toEqual(older);
    expect(located(log.with(20, { at: 120, is: 'missing' }), at, 'older')).toEqual({
      ...{ bound: at, probes: [21] },
    });
    expect(located(log.with(20, { at: 120, is: 'deleted' }), at, 'newer')).toEqual({
      ...{ bound: { ...at, sequence: 22, sentAt: 121 }, probes: [21, 21, 22] },
    });
  });

  test.each<[string, looks: number[], (log: Log) => Log]>([
    ['the newest message', [20], (log) => log],
    [
      'below a message that is being sent',
      [20, 19],
      (log) => log.with(19, { at: 120, is: 'missing' }),
    ],
    [
      'below some deleted messages',
      [20, 19, 18, 17],
      (log) => log.map((one, n) => (n < 17 ? one : { ...one, is: 'deleted' })),
    ],
    [
      'below many deleted messages, if the newest tombstone contains the range bound',
      [20, 10],
      (log) => log.with(19, { at: 120, is: 'deleted', bounds: { empty_from: 11 } }),
    ],
    [
      'the first message, if a reader’s tombstone contains the bound of the range above',
      [20, 1],
      (log) => log.with(19, { at: 120, is: 'marked by a reader', bounds: { empty_from: 2 } }),
    ],
  ])('without a cursor is %s', (_, probes, change) => {
    const log = change(messagesAt(Array.from({ length: 20 }, (_, n) => 101 + n)));
    const sequence = probes.at(-1) ?? 0;
    const bound = { conversationId: id, sequence, sentAt: 100 + sequence };
    expect(located(log, undefined, 'older')).toEqual({ bound, probes });
  });

  test('comes from a read of the log if eight probes find only deleted messages', () => {
    const log = messagesAt(Array.from({ length: 20 }, (_, n) => 101 + n));
    const deleted = log.map((one): Log[number] => ({ ...one, is: 'deleted' }));
    expect(located(deleted, undefined, 'older')).toEqual({
      bound: { conversationId: id, sequence: 12, sentAt: 112 },
      probes: [20, 19, 18, 17, 16, 15, 14, 13],
    });
    expect(located(deleted.slice(0, 3), undefined, 'older')).toEqual({ probes: [3, 2, 1] });
  });

  test('is the first message above the deleted messages if the conversation is newer than the cursor', () => {
    const log: Log = [
      ...[101, 102].map((at): Log[number] => ({ at, is: 'deleted' })),
      { at: 103, is: 'deleted', bounds: { empty_to: 5 } },
      ...[104, 105, 106].map((at): Log[number] => ({ at, is: 'message' })),
    ];
    expect(located(log, foreignPosition(99), 'newer')).toEqual({
      bound: { conversationId: id, sequence: 6, sentAt: 106 },
      probes: [1, 2, 3, 6],
    });
    expect(located(log, foreignPosition(99), 'older')).toEqual({ probes: [] });
    const deleted = log.map((one): Log[number] => ({ ...one, is: 'deleted' }));
    expect(located(deleted, foreignPosition(99), 'newer')).toEqual({ probes: [1, 2, 3, 6] });
    // The walk starts at the send in progress, because a start above it would skip its message.
    expect(located(log.with(1, { at: 102, is: 'missing' }), foreignPosition(99), 'newer')).toEqual({
      bound: { conversationId: id, sequence: 2, sentAt: 100 },
      probes: [1, 2],
    });
  });

  test('stays at a gap that may still be filled', () => {
    const log = messagesAt(Array.from({ length: 20 }, (_, n) => 100 + n * 10));
    const sending = log.with(9, { at: 190, is: 'missing' });
    expect(located(sending, foreignPosition(195), 'older')).toEqual({
      bound: { conversationId: id, sequence: 10, sentAt: 190 },
      probes: [11, 10],
    });
  });

  test('skips no message, even among deleted messages, crashed sends and sends in progress', () => {
    const sequence = fc.record({
      pause: fc.integer({ min: 0, max: 3 }),
      is: fc.constantFrom<Kind[]>('message', 'message', 'deleted', 'marked by a reader', 'missing'),
    });
    const direction = fc.constantFrom<Direction[]>('older', 'newer');
    fc.assert(
      fc.property(
        fc.array(sequence, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.boolean(),
        direction,
        (sequences, pick, isOwn, walkDirection) => {
          let now = 100;
          const log = sequences.map(({ pause, is }): Log[number] => {
            now += pause;
            return { at: now, is };
          });
          const n = pick % log.length;
          const at = log[n]?.at ?? 0;
          const start = isOwn
            ? { conversationId: id, sequence: n + 1, sentAt: at }
            : foreignPosition(at);
          // A walk to newer messages includes only conversations with activity after the cursor.
          if (walkDirection === 'newer' && (isOwn ? n + 1 === log.length : at === now)) return;
          const order = getOrder(walkDirection);
          const next = log
            .map((one, n) => ({ ...one, conversationId: id, sequence: n + 1, sentAt: one.at }))
            .filter(({ is }) => is === 'message')
            .filter((one) => order(one, start) > 0)
            .sort(order)[0];
          const { bound } = located(log, start, walkDirection);
          if (!next) return;
          expect(bound && order(bound, next)).toBeLessThanOrEqual(0);
          expect(bound && order(bound, start)).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: selectSize(300, 10_000) },
    );
  });

  test('is bounded by the only message, without a probe, if the conversation is newer than the cursor and has one message', () => {
    expect(firstBound(messagesAt([500]), foreignPosition(99))).toEqual({
      ...{ conversationId: id, sequence: 1, sentAt: 500 },
    });
  });

  test('is bounded by the creation time, without a probe, if a conversation newer than the cursor has several messages', () => {
    expect(firstBound(messagesAt([500, 501]), foreignPosition(99))).toEqual({
      ...{ conversationId: id, sequence: 1, sentAt: 100 },
    });
  });
});
