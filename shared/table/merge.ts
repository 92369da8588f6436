import * as v from 'valibot';
import { type Item, queryPage } from './access.ts';
import { indexes } from './names.ts';

/** One partition of an index: items of different conversations, sorted. */
export interface Source {
  index: keyof typeof indexes;
  partition: string;
}

export interface Merge<Found> {
  /** Partitions whose sort keys mean the same. */
  sources: Source[];
  /** Highest sort key first is forwards. */
  backwards: boolean;
  /** The sort key to start from, itself not given; without it, from the list's beginning. */
  from: string | undefined;
  count: number;
  /** Those of the items that belong to the list, in the order in which they come. */
  choose: (items: Item[]) => Found[] | Promise<Found[]>;
}

/** Where `choose` leaves little, further rounds are read in larger steps. */
const furtherStep = 100;

/**
 * Reads several sorted partitions as if they were one, each conversation once: up to `count` of what is chosen, in the
 * direction of travel, fewer only where all have ended. One query for each source, side by side; more rounds of them
 * only while `choose` drops items. Indexes may be a moment behind the table.
 */
export async function mergeSources<Found>(merge: Merge<Found>): Promise<Found[]> {
  const { sources, count, choose } = merge;
  const found: Found[] = [];
  const seen = new Set<string>();
  let from = merge.from;
  for (let step = count, ended = false; found.length < count && !ended; step = furtherStep) {
    const stretches = await Promise.all(
      sources.map((source) => readStretch(source, { ...merge, from, count: step })),
    );
    const items = inOrder(stretches.flat(), merge.backwards).slice(0, step);
    ended = items.length < step;
    from = items.at(-1)?.position;
    // What moves while it is read may be met a second time.
    const fresh = items.filter(({ pk }) => !seen.has(pk));
    for (const { pk } of fresh) seen.add(pk);
    found.push(...(await choose(fresh.map(({ item }) => item))));
  }
  return found.slice(0, count);
}

/** An item with its partition key of the table, which names its conversation, and its sort key of the index. */
interface Placed extends v.InferOutput<typeof Place> {
  item: Item;
}
const Place = v.object({ pk: v.string(), position: v.string() });

/** Sorted in the direction of travel; of items that several sources have, the first. */
function inOrder(items: Placed[], backwards: boolean): Placed[] {
  const sign = backwards ? -1 : 1;
  items.sort((a, b) => (a.position < b.position ? sign : -sign));
  const byConversation = new Map<string, Placed>();
  for (const one of items) if (!byConversation.has(one.pk)) byConversation.set(one.pk, one);
  return [...byConversation.values()];
}

async function readStretch(
  { index, partition: value }: Source,
  { backwards, from, count }: Pick<Merge<unknown>, 'backwards' | 'from' | 'count'>,
): Promise<Placed[]> {
  const { partition, sort } = indexes[index];
  const beyond = `${sort} ${backwards ? '>' : '<'} :from`;
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage({
      IndexName: index,
      KeyConditionExpression: `${partition} = :partition${from === undefined ? '' : ` AND ${beyond}`}`,
      ExpressionAttributeValues: {
        ':partition': value,
        ...(from !== undefined && { ':from': from }),
      },
      ScanIndexForward: backwards,
      Limit: count - items.length,
      ExclusiveStartKey: start,
    });
    items.push(...page.items);
    start = page.next;
  } while (start && items.length < count);
  return items.map((item) => ({ ...v.parse(Place, { ...item, position: item[sort] }), item }));
}
