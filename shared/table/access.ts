import {
  BatchGetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { env } from '../env.ts';
import { ApiError } from '../errors.ts';
import { call, client, isConditionFailure } from './client.ts';
import type { Key } from './keys.ts';

/** An item as the table has it; each kind of item has a schema that reads it. */
export type Item = Record<string, unknown>;

/** A conditional write: done, with the item as the call asks for it, or not, with the item that stood in the way. */
export type Written =
  | { done: true; item: Item | undefined }
  | { done: false; found: Item | undefined };

const TableName = env('TABLE_NAME');
const batchSize = 100;
const batchRounds = 5;

/**
 * The items of the given keys that exist, in no order, read strongly unless told otherwise. One call per hundred keys,
 * and more for what the table leaves unprocessed.
 */
export async function getItems(
  keys: Key[],
  { consistent = true }: { consistent?: boolean } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let left: Item[] = keys.map((key) => ({ ...key }));
  for (let round = 0; left.length > 0; round++) {
    if (round > batchRounds + keys.length / batchSize) throw new ApiError('unavailable');
    const Keys = left.slice(0, batchSize);
    const RequestItems = { [TableName]: { Keys, ConsistentRead: consistent } };
    const output = await call(client.send(new BatchGetCommand({ RequestItems })));
    items.push(...(output.Responses?.[TableName] ?? []));
    left = [...(output.UnprocessedKeys?.[TableName]?.Keys ?? []), ...left.slice(batchSize)];
  }
  return items;
}

/** One page of a query: its items, and whether there is more to read. */
export async function queryPage(
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<{ items: Item[]; next: Item | undefined }> {
  const output = await call(client.send(new QueryCommand({ TableName, ...input })));
  return { items: output.Items ?? [], next: output.LastEvaluatedKey };
}

/** Puts an item where there is none. */
export const putNew = (item: Item & Key): Promise<Written> =>
  conditional(
    client.send(
      new PutCommand({
        TableName,
        Item: item,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );

/** Updates an item; with a ConditionExpression only if it holds. */
export const update = (input: Omit<UpdateCommandInput, 'TableName'>): Promise<Written> =>
  conditional(
    client.send(
      new UpdateCommand({
        TableName,
        ...(input.ConditionExpression && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        ...input,
      }),
    ),
  );

async function conditional(send: Promise<{ Attributes?: Item | undefined }>): Promise<Written> {
  try {
    return { done: true, item: (await call(send)).Attributes };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // The document client reads replies, but not what an error carries.
    return { done: false, found: error.Item && unmarshall(error.Item) };
  }
}
