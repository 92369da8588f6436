import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../../../shared/api-error.ts';
import { messageKey } from '../../../../../shared/table/keys/keys.ts';
import {
  collectMessages,
  type MessageSource,
  type ReadableSource,
} from '../../../../../shared/table/messages/across/collect-messages.ts';
import { ann } from '../../../../support/people/callers.ts';
import '../../../../support/setup/use-table.ts';

const id = '01KAMB3YD2XY9Z0ABCDEFGHJKM';
const boundAt = (sentAt: number) => ({ conversationId: id, sequence: 1, sentAt });

const walk = (count: number) => ({
  ...{ caller: ann, direction: 'older' as const, start: undefined, count },
});

/** Creates empty sources that record the limit of each read, in the order of the reads. */
function empty(count: number, timeOf: (n: number) => number, isUnchecked = false) {
  const reads: { n: number; limit: number }[] = [];
  const sources = Array.from(
    { length: count },
    (_, n): ReadableSource => ({
      bound: boundAt(timeOf(n)),
      ...(isUnchecked && { unchecked: `${id.slice(0, 24)}${n + 10}` }),
      read: async (limit, visible) => {
        reads.push({ n, limit });
        await visible;
        return { messages: [], sources: [] };
      },
    }),
  );
  return { reads, sources };
}

const tooMany = new ApiError('too_many_conversations');

describe('A walk over the messages of all conversations', () => {
  test('reads up to a thousand sources, and fails if it would need more sources', async () => {
    expect(await collectMessages(walk(10), empty(1000, () => 1).sources)).toEqual([]);
    await expect(collectMessages(walk(10), empty(1001, () => 1).sources)).rejects.toThrow(tooMany);
  });

  test('fails if it would need more than twenty thousand probes', async () => {
    const sources = Array.from(
      { length: 20_001 },
      (): MessageSource => ({
        bound: boundAt(1),
        probe: { key: messageKey(id, 1), resolve: () => [] },
      }),
    );
    await expect(collectMessages(walk(10), sources)).rejects.toThrow(tooMany);
  });

  test.each([
    [10, 1, 10],
    [3, 1, 3],
    [100, 2, 50],
    [10, 3, 5],
    [100, 20, 7],
  ])(
    'that collects %i messages from %i sources reads up to %i messages from the first source',
    async (count, many, limit) => {
      const { reads, sources } = empty(many, () => 1);
      await collectMessages(walk(count), sources);
      expect(reads[0]).toEqual({ n: 0, limit });
    },
  );

  test('reads the first source, and then sixteen sources concurrently, in the order of their bounds', async () => {
    const { reads, sources } = empty(40, (n) => n, true);
    await collectMessages(walk(100), sources);
    expect(reads[0]?.n).toBe(39);
    const next = reads.slice(1, 17).map(({ n }) => n);
    expect(next).toEqual(Array.from({ length: 16 }, (_, n) => 38 - n));
  });
});
