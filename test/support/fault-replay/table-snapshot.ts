import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { env } from '../../../shared/env.ts';
import type { Cast } from './cast.ts';

/** All stored items except businesses, with the examples' ids for Ann and Bob. */
export type TableSnapshot = readonly string[];

type StoredItem = Record<string, AttributeValue>;

/** Client without injected faults. */
const engine = new DynamoDBClient();
const batchSize = 25;

export const takeSnapshot = async ({ toExampleText }: Cast): Promise<TableSnapshot> =>
  (await scan()).map((item) => toExampleText(JSON.stringify(item, sorted))).sort();

/** Stores the snapshot's items with the cast's ids. Deletes all other items except businesses. */
export async function restoreSnapshot(
  snapshot: TableSnapshot,
  { toCastText }: Cast,
): Promise<void> {
  const items: StoredItem[] = snapshot.map((item) => JSON.parse(toCastText(item)));
  const keys = new Set(items.map(nameOf));
  const requests: WriteRequest[] = [
    ...(await scan())
      .filter((item) => !keys.has(nameOf(item)))
      .map((item) => ({ DeleteRequest: { Key: keyOf(item) } })),
    ...items.map((Item) => ({ PutRequest: { Item } })),
  ];
  for (let at = 0; at < requests.length; at += batchSize) {
    const RequestItems = { [env('TABLE_NAME')]: requests.slice(at, at + batchSize) };
    await engine.send(new BatchWriteItemCommand({ RequestItems }));
  }
}

async function scan(): Promise<StoredItem[]> {
  const { Items = [], LastEvaluatedKey } = await engine.send(
    new ScanCommand({ TableName: env('TABLE_NAME'), ConsistentRead: true }),
  );
  if (LastEvaluatedKey) throw new Error('The table has more than one page of items.');
  return Items.filter(({ pk }) => !pk?.S?.startsWith('BUSINESS'));
}

const keyOf = ({ pk = { S: '' }, sk = { S: '' } }: StoredItem) => ({ pk, sk });
const nameOf = ({ pk, sk }: StoredItem) => `${pk?.S} ${sk?.S}`;

/** Sorts the fields of objects, as a replacer for `JSON.stringify`. */
const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
