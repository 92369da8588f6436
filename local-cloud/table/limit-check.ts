import * as v from 'valibot';
import type { Stack } from '../stack/read-stack.ts';
import { getTables } from './create-table.ts';
import { getLeadingKeys } from './leading-keys.ts';

/** Returns DynamoDB's error message for a call; `undefined` if the call may be forwarded. */
export type LimitCheck = (operation: string, body: unknown) => string | undefined;

const Attributes = v.record(v.string(), v.unknown());

/** One action of a transaction. A put has no `Key`, because its item contains the key. */
const Part = v.looseObject({
  TableName: v.string(),
  Key: v.optional(Attributes),
  Item: v.optional(Attributes),
});
const Transaction = v.object({ TransactItems: v.array(v.record(v.string(), Part)) });
const Query = v.looseObject({ TableName: v.string(), IndexName: v.optional(v.string()) });

/**
 * DynamoDB's limits in bytes: the total size of a transaction's items (stored items also count),
 * the size of an item, and the size of a partition key.
 */
const transactionBytes = 4 * 1024 * 1024;
const itemBytes = 400 * 1024;
const partitionKeyBytes = 2048;

/**
 * Creates a check for the DynamoDB limits that DynamoDB Local ignores or checks only after it has
 * evaluated the request's conditions. DynamoDB Local enforces all other limits before it reads any
 * item (test/local-cloud/table/limit-check.test.ts).
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export function createLimitCheck(stack: Stack): LimitCheck {
  const tables = new Map(getTables(stack).map(({ ref, properties }) => [ref, properties]));

  const getItemKey = ({ TableName, Key, Item }: v.InferOutput<typeof Part>) => {
    const names = tables.get(TableName)?.KeySchema.map(({ AttributeName }) => AttributeName) ?? [];
    return JSON.stringify([TableName, ...names.map((name) => (Key ?? Item)?.[name])]);
  };

  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
  const checkTransaction = (body: unknown) => {
    const parts = v.parse(Transaction, body).TransactItems.flatMap(Object.values<Part>);
    if (new Set(parts.map(getItemKey)).size < parts.length)
      return 'Transaction request cannot include multiple operations on one item';
    // Uses upper bounds, because stored items also count, but their sizes are unknown here.
    if (parts.reduce((sum, part) => sum + getMaxBytes(part), 0) > transactionBytes)
      return 'The items of the transaction could exceed 4 MB in total';
    return undefined;
  };

  const checkQuery = (body: unknown) => {
    const { TableName, IndexName } = v.parse(Query, body);
    const table = tables.get(TableName);
    const index = table?.GlobalSecondaryIndexes.find((one) => one.IndexName === IndexName);
    const [partition] = (index ?? table)?.KeySchema ?? [];
    const keys = getLeadingKeys(body, partition?.AttributeName ?? '');
    return keys.some((key) => Buffer.byteLength(key) > partitionKeyBytes)
      ? `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${partitionKeyBytes} bytes`
      : undefined;
  };

  return (operation, body) => {
    if (operation === 'TransactWriteItems') return checkTransaction(body);
    if (operation === 'Query') return checkQuery(body);
    return undefined;
  };
}

type Part = v.InferOutput<typeof Part>;

/**
 * Maximum bytes per item, by sort key, for items whose size this service limits. The largest of
 * these items is a contact, with the ids of at most 100 groups.
 */
const maxBytesBySort: readonly (readonly [RegExp, number])[] = [
  [/^(CONTACT|MEMBERSHIPS|BLOCKS|GROUP)$/, 32 * 1024],
  [/^MEMBERSHIP#/, 1024],
];
const SortKey = v.object({ sk: v.object({ S: v.string() }) });

/**
 * Returns the maximum size of an action's item in bytes. For a put, the size of the item's JSON is
 * an upper bound. For other actions, the sort key determines the bound.
 */
function getMaxBytes({ Item, Key }: Part): number {
  if (Item) return Math.min(itemBytes, Buffer.byteLength(JSON.stringify(Item)));
  const parsed = v.safeParse(SortKey, Key);
  const sort = parsed.success ? parsed.output.sk.S : '';
  return maxBytesBySort.find(([pattern]) => pattern.test(sort))?.[1] ?? itemBytes;
}
