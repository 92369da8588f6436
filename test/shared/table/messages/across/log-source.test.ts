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
import { ann } from '../../../../support/handlers/callers.ts';
import { seedMessages } from '../../../../support/table/seed-messages.ts';
import '../../../../support/setup/use-table.ts';

const base = clock.now() - 1_000_000;
/** Returns the timestamp of the message with the given sequence number, from 1. */
const timeOf = (sequence: number) => base + sequence * 10;
const count = 9;
/** The sequence number without a message. */
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
const own = (sequence: number) => ({ conversationId: id, sequence, sentAt: timeOf(sequence) });
/** Returns the position in another conversation that directly follows the message. */
const elsewhere = (sequence: number) => ({
  ...{ conversationId: 'Z'.repeat(26), sequence: 1, sentAt: timeOf(sequence) },
});

/** Reads a source. Returns the sequence numbers of its messages, and the remaining sources. */
async function readOf(source: MessageSource | undefined, most = 2, visible = [id]) {
  if (!source || !('read' in source)) throw new Error('The source must be readable.');
  const { messages, sources } = await source.read(most, Promise.resolve(new Set(visible)));
  return { given: messages.map(({ sequence }) => sequence), next: sources };
}

async function searched(direction: Direction, start: MessagePosition) {
  const conversation = {
    ...{ id, created_at: base, last_message_at: timeOf(count), message_count: count },
  };
  const { given, next } = await readOf(
    createUnsearchedSource(walk(direction, start), conversation, start),
  );
  expect(given).toEqual([]);
  if (next.length === 0) return 'nothing';
  expect(next).toHaveLength(1);
  return { bound: next[0]?.bound, given: (await readOf(next[0])).given };
}

describe('A source with an unknown start position', () => {
  test('starts at the first message after the cursor, and is bounded by that message', async () => {
    expect(await searched('older', elsewhere(7))).toEqual({ bound: own(7), given: [7, 6] });
    expect(await searched('newer', elsewhere(7))).toEqual({ bound: own(8), given: [8, 9] });
    expect(await searched('older', elsewhere(9))).toEqual({ bound: own(9), given: [9, 8] });
    expect(await searched('newer', elsewhere(0))).toEqual({ bound: own(1), given: [1, 2] });
  });

  test('does not return the message at the cursor', async () => {
    expect(await searched('older', own(7))).toEqual({ bound: own(7), given: [6, 5] });
    expect(await searched('newer', own(7))).toEqual({ bound: own(8), given: [8, 9] });
  });

  test('returns nothing if no message follows the cursor', async () => {
    expect(await searched('older', elsewhere(0))).toBe('nothing');
    expect(await searched('newer', elsewhere(9))).toBe('nothing');
  });

  test('is bounded by the cursor if an adjacent gap may still be filled', async () => {
    for (const sequence of [3, 4]) {
      const start = elsewhere(sequence);
      expect(await searched('older', start)).toEqual({ bound: start, given: [3, 2] });
      expect(await searched('newer', start)).toEqual({ bound: start, given: [5, 6] });
    }
    expect(await searched('older', own(5))).toEqual({ bound: own(5), given: [3, 2] });
    expect(await searched('newer', own(3))).toEqual({ bound: own(3), given: [5, 6] });
  });
});

test('After a read, the remaining source starts after the last returned message; at the end of the log, no source remains', async () => {
  for (const [direction, given, beyond] of [
    ['older', [9, 8, 7], 6],
    ['newer', [1, 2, 3], 4],
  ] as const) {
    const source = () => createLogSource(walk(direction), id, own(5), undefined);
    const read = await readOf(source(), 3);
    expect(read.given).toEqual(given);
    expect(read.next.map(({ bound }) => bound)).toEqual([{ ...own(given[2]), sequence: beyond }]);
    const all = await readOf(source(), count);
    expect([all.given.length, all.next]).toEqual([count - 1, []]);
  }
});

test('If the index was stale, reading a log from its end returns only messages older than the cursor', async () => {
  for (const start of [own(6), elsewhere(5)]) {
    const behind = createLogSource(walk('older', start), id, own(5), undefined);
    expect((await readOf(behind, count)).given).toEqual([5, 3, 2, 1]);
  }
});

test('A source returns nothing from a conversation that the reader has left', async () => {
  expect(await readOf(createLogSource(walk('older'), id, own(5), undefined), 2, [])).toEqual({
    ...{ given: [], next: [] },
  });
});
