import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../../shared/api-error.ts';
import { type Item, update } from '../../../../shared/table/calls/access.ts';
import {
  type Merge,
  mergeSources,
  type Source,
} from '../../../../shared/table/calls/merge-sources.ts';
import { putAll } from '../../../support/seeds/seed-conversations.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';
import { interceptHttp } from '../../../support/table/http-hooks.ts';

let created = 0;
const newPartitions = (count: number): string[] => {
  created += 1;
  return Array.from({ length: count }, (_, n) => `TEST#${created}#${n}`);
};
const inGsi1 = (partitions: string[]): Source[] =>
  partitions.map((partition) => ({ index: 'gsi1', partition }));

const positionOf = (n: number) => String(n).padStart(6, '0');
const item = (n: number, gsi1pk: string, gsi2pk?: string) => ({
  pk: `${gsi1pk}#${n}`,
  sk: 'CONVERSATION',
  n,
  activity: positionOf(n),
  gsi1pk,
  ...(gsi2pk && { gsi2pk }),
});

/** Returns the chosen items, the limit of each query, and the candidates of each `choose` call. */
async function merged(
  merge: Pick<Merge<unknown>, 'sources' | 'count'> & Partial<Merge<Item>>,
): Promise<{ found: unknown[]; limits: unknown[]; offered: unknown[][] }> {
  const limits: unknown[] = [];
  const offered: unknown[][] = [];
  const undo = interceptCalls(async ({ input }, proceed) => {
    limits.push('Limit' in input && input.Limit);
    await proceed();
  });
  const found = await mergeSources<Item>({
    backwards: false,
    from: undefined,
    ...merge,
    choose: (items) => {
      offered.push(items.map(({ n }) => n));
      return merge.choose ? merge.choose(items) : items;
    },
  });
  undo();
  return { found: found.map(({ n }) => n), limits, offered };
}

describe('A read of several inboxes as one list', () => {
  test.each([
    ['starts at the highest item', { backwards: false, from: undefined }, [9, 8, 7, 6]],
    [
      'starts at the lowest item if the read is backward',
      { backwards: true, from: undefined },
      [1, 2, 3, 4],
    ],
    ['continues below a position', { backwards: false, from: positionOf(6) }, [5, 4, 3, 2]],
    [
      'continues above a position if the read is backward',
      { backwards: true, from: positionOf(6) },
      [7, 8, 9],
    ],
  ])('%s', async (_, range, expected) => {
    const [one = '', other = ''] = newPartitions(2);
    await putAll([9, 8, 5, 3].map((n) => item(n, one)));
    await putAll([7, 6, 4, 2, 1].map((n) => item(n, other)));
    const { found } = await merged({ sources: inGsi1([one, other]), count: 4, ...range });
    expect(found).toEqual(expected);
  });

  test('returns a conversation only once, even if two inboxes contain it', async () => {
    const [one = '', other = ''] = newPartitions(2);
    await putAll([item(3, one, other), item(2, one), item(1, one, other)]);
    const sources: Source[] = [
      { index: 'gsi1', partition: one },
      { index: 'gsi2', partition: other },
    ];
    const { found, offered } = await merged({ sources, count: 10 });
    expect({ found, offered }).toEqual({ found: [3, 2, 1], offered: [[3, 2, 1]] });
  });

  test('queries an inbox’s next page before returning older items of other inboxes', async () => {
    const partitions = newPartitions(20);
    const [longest = '', last = ''] = partitions;
    await putAll(Array.from({ length: 60 }, (_, n) => item(100 + n, longest)));
    await putAll([item(1, last)]);
    const { found, limits } = await merged({ sources: inGsi1(partitions), count: 50 });
    expect(found).toEqual(Array.from({ length: 50 }, (_, n) => 159 - n));
    expect(limits).toEqual([...partitions.map(() => 11), 44]);
  });

  test.each([
    ['the requested count, for a single inbox', 1, 50, 50],
    ['the requested count, if the count is small', 20, 10, 10],
    ['four times the inbox’s share of the count, for ten inboxes', 10, 50, 20],
    ['eleven items, for many inboxes', 40, 50, 11],
  ])('limits the first query of each inbox to %s', async (_, inboxes, count, limit) => {
    const partitions = newPartitions(inboxes);
    const { found, limits } = await merged({ sources: inGsi1(partitions), count });
    expect({ found, limits }).toEqual({ found: [], limits: partitions.map(() => limit) });
  });

  test('returns all items if the inboxes contain at most the requested number of items', async () => {
    const [one = '', other = ''] = newPartitions(2);
    await putAll([1, 2, 3].map((n) => item(n, one)));
    const { found } = await merged({ sources: inGsi1([one, other]), count: 3 });
    expect(found).toEqual([3, 2, 1]);
    const all = await merged({ sources: inGsi1([one, other]), count: 4 });
    expect(all).toEqual({ found: [3, 2, 1], limits: [4, 4], offered: [[3, 2, 1]] });
  });
});

describe('If some items do not belong to the list,', () => {
  test('the query filters by index attributes', async () => {
    const [one = ''] = newPartitions(1);
    await putAll([1, 2, 3].map((n) => item(n, one)));
    const filter = { expression: 'n <> :two', values: { ':two': 2 } };
    const { found, offered } = await merged({ sources: inGsi1([one]), count: 5, filter });
    expect({ found, offered }).toEqual({ found: [3, 1], offered: [[3, 1]] });
  });

  test('each page is four times as large as the previous one until enough items match', async () => {
    const [one = ''] = newPartitions(1);
    await putAll(Array.from({ length: 60 }, (_, n) => item(1 + n, one)));
    const { found, limits, offered } = await merged({
      sources: inGsi1([one]),
      count: 2,
      choose: (items) => items.filter(({ n }) => Number(n) % 10 === 0),
    });
    expect({ found, limits, offered: offered.map(({ length }) => length) }).toEqual({
      found: [60, 50],
      limits: [2, 8, 32],
      offered: [2, 8, 32],
    });
  });

  test('an item that moves down the list during the read is checked only once', async () => {
    const [one = ''] = newPartitions(1);
    await putAll(Array.from({ length: 10 }, (_, n) => item(1 + n, one)));
    const { offered } = await merged({
      sources: inGsi1([one]),
      count: 2,
      choose: async (items) => {
        for (const { n, pk } of items) {
          if (n !== 10) continue;
          await update({
            Key: { pk, sk: 'CONVERSATION' },
            UpdateExpression: 'SET activity = :lower',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':lower': positionOf(0) },
          });
        }
        return [];
      },
    });
    expect(offered).toEqual([[10, 9], [8, 7, 6, 5, 4, 3, 2, 1], []]);
  });
});

describe('With an unbounded number of conversations,', () => {
  const refused = async (itemsOf: (from: number, limit: number) => number[]) => {
    const limits: number[] = [];
    const offered: number[] = [];
    let read = 0;
    const hook = interceptHttp(async ({ body }) => {
      const { Limit } = JSON.parse(body);
      limits.push(Limit);
      const items = itemsOf(read, Limit).map((n) => ({
        pk: { S: `${n}` },
        activity: { S: positionOf(900_000 - n) },
      }));
      read += Limit;
      const LastEvaluatedKey = { pk: { S: 'x' }, activity: { S: positionOf(900_000 - read) } };
      return { status: 200, body: JSON.stringify({ Items: items, LastEvaluatedKey }) };
    });
    const reading = mergeSources({
      sources: inGsi1(['endless']),
      backwards: false,
      from: undefined,
      count: 2,
      choose: (items) => {
        offered.push(items.length);
        return [];
      },
    });
    await expect(reading).rejects.toThrow(new ApiError('too_many_conversations'));
    await hook.remove();
    return { limits, offered };
  };
  const times = (count: number, value: number) => Array.from({ length: count }, () => value);

  test('a list without a match checks at most 20,000 items, in batches of at most 1,000, and then fails', async () => {
    const { limits, offered } = await refused((from, limit) =>
      Array.from({ length: limit }, (_, n) => from + n + 1),
    );
    expect(offered).toEqual([2, 8, 32, 128, 512, ...times(19, 1000)]);
    expect(limits).toEqual([2, 8, 32, 128, 512, 2048, ...times(5, 4000)]);
  });

  test('a list whose filter excludes all conversations reads at most 100,000 items, in pages of at most 4,000, and then fails', async () => {
    const { limits, offered } = await refused(() => []);
    expect(offered).toEqual([]);
    expect(limits).toEqual([2, 8, 32, 128, 512, 2048, ...times(24, 4000)]);
  });
});
