import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { env } from '../../env.ts';
import { ApiError } from '../../errors.ts';
import type { Key } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import { call, client, isCancellation, isConditionFailure, pauseAfter } from './client.ts';
import { isAbsent } from './expressions.ts';

/** An item as the table has it; each kind of item has a schema that reads it. */
export type Item = Record<string, unknown>;

/**
 * A conditional write: done, with the item as the call asks for it, or not, with the item that
 * stood in the way.
 */
export type Written =
  | { done: true; item: Item | undefined }
  | { done: false; found: Item | undefined };

const TableName = env('TABLE_NAME');
const batchSize = 100;
const batchRounds = 5;

/**
 * The items of the given keys that exist, in no order, read strongly unless told otherwise, whole
 * or only the named attributes. One call per hundred keys, side by side, and more for what the
 * table leaves unprocessed: at once where it processed some, as no call gives more than 16 MB, and
 * after a pause where it processed none, as it does when it is throttled.
 */
export async function getItems(
  keys: Key[],
  options: { consistent?: boolean; attributes?: readonly string[] } = {},
): Promise<Item[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, n) =>
    getBatch(keys.slice(n * batchSize, (n + 1) * batchSize), options),
  );
  return (await Promise.all(batches)).flat();
}

async function getBatch(
  keys: Key[],
  { consistent = true, attributes }: { consistent?: boolean; attributes?: readonly string[] },
): Promise<Item[]> {
  const items: Item[] = [];
  let left: Item[] = keys.map((key) => ({ ...key }));
  for (let round = 0; left.length > 0; round++) {
    if (round > batchRounds) throw new ApiError('unavailable');
    const RequestItems = {
      [TableName]: { Keys: left, ConsistentRead: consistent, ...only(attributes) },
    };
    const output = await call((options) =>
      client.send(new BatchGetCommand({ RequestItems }), options),
    );
    items.push(...(output.Responses?.[TableName] ?? []));
    const unprocessed = output.UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (unprocessed.length === left.length) await pauseAfter(round + 1);
    left = unprocessed;
  }
  return items;
}

/** Through names of our own: DynamoDB keeps many words for itself. */
const only = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, n) => `#${n}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, n) => [`#${n}`, name])),
  };

/** One page of a query: its items, and whether there is more to read. */
export async function queryPage(
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<{ items: Item[]; next: Item | undefined }> {
  const output = await call((options) =>
    client.send(new QueryCommand({ TableName, ...input }), options),
  );
  return { items: output.Items ?? [], next: output.LastEvaluatedKey };
}

/** The item of the key, read strongly. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const input = { TableName, Key: key, ConsistentRead: true };
  return (await call((options) => client.send(new GetCommand(input), options))).Item;
}

/** Puts an item where there is none. */
export const putNew = (item: Item & Key): Promise<Written> => {
  const command = new PutCommand({ ...newItem(item), TableName });
  return conditional((options) => client.send(command, options));
};

/** Updates an item; with a ConditionExpression only if it holds. */
export const update = (input: Omit<UpdateCommandInput, 'TableName'>): Promise<Written> => {
  const command = new UpdateCommand({
    TableName,
    ...(input.ConditionExpression && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ...input,
  });
  return conditional((options) => client.send(command, options));
};

/** A part of a transaction: a new item, an update, or a check. */
export type Write =
  | {
      put: Item & Key /** It may replace what has expired by then, in seconds. */;
      overExpired?: number;
    }
  | { update: TransactedUpdate }
  | { check: Check };
export type TransactedUpdate = Omit<UpdateCommandInput, 'TableName' | 'UpdateExpression'> & {
  UpdateExpression: string;
};
/** Writes nothing, but the transaction is made only if the condition holds. */
export type Check = Pick<
  UpdateCommandInput,
  'Key' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> & { ConditionExpression: string };

/**
 * Makes all writes or none. Undone, it gives for each write whether its condition held, and if not
 * what it found. A try that is repeated because its reply was lost is known by its token, and not
 * made twice.
 */
export async function transact(
  writes: Write[],
): Promise<{ done: boolean; outcomes: { held: boolean; found: Item | undefined }[] }> {
  const all = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map((write) => {
    if ('put' in write) return { Put: { ...newItem(write.put, write.overExpired), TableName } };
    if ('check' in write) return { ConditionCheck: { ...all, ...write.check, TableName } };
    return { Update: { ...all, ...write.update, TableName } };
  });
  const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
  try {
    await call((options) => client.send(command, options));
    return { done: true, outcomes: [] };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const outcomes = (error.CancellationReasons ?? []).map(({ Code, Item }) => ({
      held: Code !== 'ConditionalCheckFailed',
      found: Item && unmarshall(Item),
    }));
    return { done: false, outcomes };
  }
}

const newItem = (item: Item & Key, overExpired?: number) => ({
  Item: item,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ...(overExpired === undefined
    ? { ConditionExpression: isAbsent }
    : {
        ConditionExpression: `${isAbsent} OR ${expiryAttribute} <= :now`,
        ExpressionAttributeValues: { ':now': overExpired },
      }),
});

async function conditional(
  send: Parameters<typeof call<{ Attributes?: Item | undefined }>>[0],
): Promise<Written> {
  try {
    return { done: true, item: (await call(send)).Attributes };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // The document client reads replies, but not what an error carries.
    return { done: false, found: error.Item && unmarshall(error.Item) };
  }
}
