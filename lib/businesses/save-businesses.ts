import { isDeepStrictEqual } from 'node:util';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { BusinessRecord } from '../../shared/contract/business.ts';
import { itemOfBusiness } from '../../shared/table/businesses/items.ts';
import type { Item } from '../../shared/table/calls/access.ts';
import type { Key } from '../../shared/table/keys/keys.ts';
import type { BusinessTable } from './business-table.ts';
import { untilDone } from './until-done.ts';

export interface Saved {
  new: number;
  changed: number;
  unchanged: number;
}

/** As many as DynamoDB writes at once. */
const batchSize = 25;

/** Stores the businesses in the order given, and writes only what differs from what is there. */
export async function saveBusinesses(
  table: BusinessTable,
  businesses: readonly BusinessRecord[],
  onProgress: (done: number) => void = () => {},
): Promise<Saved> {
  const saved: Saved = { new: 0, changed: 0, unchanged: 0 };
  for (let at = 0; at < businesses.length; at += batchSize) {
    const items = businesses.slice(at, at + batchSize).map(itemOfBusiness);
    const stored = await readItems(table, items);
    const differing = items.filter((item) => !isDeepStrictEqual(stored.get(item.sk), item));
    await writeItems(table, differing);
    const changed = differing.filter(({ sk }) => stored.has(sk)).length;
    saved.new += differing.length - changed;
    saved.changed += changed;
    saved.unchanged += items.length - differing.length;
    onProgress(at + items.length);
  }
  return saved;
}

/** What is stored under the keys, by their sort keys. */
async function readItems(
  { client, name }: BusinessTable,
  keys: Key[],
): Promise<Map<unknown, Item>> {
  const found = new Map<unknown, Item>();
  const requests: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  await untilDone(requests, async (Keys) => {
    const RequestItems = { [name]: { Keys, ConsistentRead: true } };
    const output = await client.send(new BatchGetCommand({ RequestItems }));
    for (const item of output.Responses?.[name] ?? []) found.set(item.sk, item);
    return output.UnprocessedKeys?.[name]?.Keys;
  });
  return found;
}

async function writeItems({ client, name }: BusinessTable, items: Item[]): Promise<void> {
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  await untilDone(requests, async (puts) => {
    const output = await client.send(new BatchWriteCommand({ RequestItems: { [name]: puts } }));
    return output.UnprocessedItems?.[name]?.flatMap(({ PutRequest }) =>
      PutRequest?.Item ? { PutRequest: { Item: PutRequest.Item } } : [],
    );
  });
}
