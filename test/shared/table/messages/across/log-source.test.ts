import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import type { MessagePosition } from '../../../../../shared/ids.ts';
import type { MessageSource } from '../../../../../shared/table/messages/across/collect-messages.ts';
import {
  createLogSource,
  createUnsearchedSource,
} from '../../../../../shared/table/messages/across/log-source.ts';
import type { Direction } from '../../../../../shared/table/messages/log/message-item.ts';
import { create } from '../../../../support/handlers/api-calls.ts';
import { ann } from '../../../../support/people/callers.ts';
import { seedMessages } from '../../../../support/seeds/seed-messages.ts';
import '../../../../support/setup/use-table.ts';

const base = clock.now() - 1_000_000;
const timeOf = (sequence: number) => base + sequence * 10;
const count = 9;
const gap = 4;
let id = '';
beforeAll(async () => {
  ({ id } = await create(ann, { contact_id: 'bob' }));
  await seedMessages(id, ann.id, count, (sequence) =>
    sequence === gap ? undefined : timeOf(sequence),
  );
});

const walk = (direction: Direction, start?: MessagePosition) => ({
  ...{ caller: ann, direction, start, count: 10 },
});
const ownPosition = (sequence: number) => ({
  conversationId: id,
  sequence,
  sentAt: timeOf(sequence),
});
/** Returns a position in another conversation, directly after the message in sort order. */
const foreignPosition = (sequence: number) => ({
  ...{ conversationId: 'Z'.repeat(26), sequence: 1, sentAt: timeOf(sequence) },
});

async function readOf(source: MessageSource | undefined, limit = 2, visible = [id]) {
  if (!source || !('read' in source)) throw new Error('The source must be readable.');
  const { messages, sources } = await source.read(limit, Promise.resolve(new Set(visible)));
  return { returned: messages.map(({ sequence }) => sequence), next: sources };
}

async function searched(direction: Direction, start: MessagePosition) {
  const conversation = {
    ...{ id, created_at: base, last_message_at: timeOf(count), message_count: count },
  };
  const { returned, next } = await readOf(
    createUnsearchedSource(walk(direction, start), conversation, start),
  );
  expect(returned).toEqual([]);
  if (next.length === 0) return 'nothing';
  expect(next).toHaveLength(1);
  return { bound: next[0]?.bound, returned: (await readOf(next[0])).returned };
}

describe('A source with an unknown start position', () => {
  test('starts at the first message after the cursor, and uses that message as its bound', async () => {
    expect(await searched('older', foreignPosition(7))).toEqual({
      bound: ownPosition(7),
      returned: [7, 6],
    });
    expect(await searched('newer', foreignPosition(7))).toEqual({
      bound: ownPosition(8),
      returned: [8, 9],
    });
    expect(await searched('older', foreignPosition(9))).toEqual({
      bound: ownPosition(9),
      returned: [9, 8],
    });
    expect(await searched('newer', foreignPosition(0))).toEqual({
      bound: ownPosition(1),
      returned: [1, 2],
    });
  });

  test('does not return the message at the cursor', async () => {
    expect(await searched('older', ownPosition(7))).toEqual({
      bound: ownPosition(7),
      returned: [6, 5],
    });
    expect(await searched('newer', ownPosition(7))).toEqual({
      bound: ownPosition(8),
      returned: [8, 9],
    });
  });

  test('returns nothing if no message follows the cursor', async () => {
    expect(await searched('older', foreignPosition(0))).toBe('nothing');
    expect(await searched('newer', foreignPosition(9))).toBe('nothing');
  });

  test('is bounded by the cursor if an adjacent gap may still be filled', async () => {
    for (const sequence of [3, 4]) {
      const start = foreignPosition(sequence);
      expect(await searched('older', start)).toEqual({ bound: start, returned: [3, 2] });
      expect(await searched('newer', start)).toEqual({ bound: start, returned: [5, 6] });
    }
    expect(await searched('older', ownPosition(5))).toEqual({
      bound: ownPosition(5),
      returned: [3, 2],
    });
    expect(await searched('newer', ownPosition(3))).toEqual({
      bound: ownPosition(3),
      returned: [5, 6],
    });
  });
});

test('After a read, the remaining source starts after the last returned message; at the end of the log, no source remains', async () => {
  for (const [direction, expected, nextSequence] of [
    ['older', [9, 8, 7], 6],
    ['newer', [1, 2, 3], 4],
  ] as const) {
    const source = () => createLogSource(walk(direction), id, ownPosition(5), undefined);
    const read = await readOf(source(), 3);
    expect(read.returned).toEqual(expected);
    expect(read.next.map(({ bound }) => bound)).toEqual([
      { ...ownPosition(expected[2]), sequence: nextSequence },
    ]);
    const all = await readOf(source(), count);
    expect([all.returned.length, all.next]).toEqual([count - 1, []]);
  }
});

test('If the index was stale, reading a log from its end returns only messages older than the cursor', async () => {
  for (const start of [ownPosition(6), foreignPosition(5)]) {
    const behind = createLogSource(walk('older', start), id, ownPosition(5), undefined);
    expect((await readOf(behind, count)).returned).toEqual([5, 3, 2, 1]);
  }
});

test('A source returns nothing from a conversation that the reader has left', async () => {
  expect(
    await readOf(createLogSource(walk('older'), id, ownPosition(5), undefined), 2, []),
  ).toEqual({
    ...{ returned: [], next: [] },
  });
});
