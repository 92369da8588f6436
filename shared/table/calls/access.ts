import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { QueryCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import { isObject } from '../../contract/schema/objects.ts';
import { env } from '../../env.ts';
import type { Key } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';
import { callTable, isConditionCancellation, isConditionFailure, pauseAfter } from './client.ts';
import { absentCondition, toProjection } from './expressions.ts';

/** A table item. Each item type has a schema. */
export type Item = Record<string, unknown>;

/** Result of a conditional write: the returned item or, if the condition failed, the stored one. */
export type WriteResult =
  | { done: true; item: Item | undefined }
  | { done: false; found: Item | undefined };

interface ReadOptions {
  consistent?: boolean;
  attributes?: readonly string[];
}

const TableName = env('TABLE_NAME');
const batchSize = 100;
const maxBatchRetries = 5;

/**
 * Returns the existing items, unordered. Reads with strong consistency by default. Calls run
 * concurrently, with up to 100 keys each. Retries unprocessed keys up to five times. If a call
 * processed some keys, retries at once, because DynamoDB limits a reply to 16 MB. If it processed
 * none (throttling), pauses first. Throws `unavailable` if unprocessed keys remain.
 */
export async function getItems(keys: Key[], options: ReadOptions = {}): Promise<Item[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, n) =>
    getBatch(keys.slice(n * batchSize, (n + 1) * batchSize), options),
  );
  return (await Promise.all(batches)).flat();
}

async function getBatch(
  keys: Key[],
  { consistent = true, attributes }: ReadOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  let remaining: Item[] = keys.map((key) => ({ ...key }));
  for (let round = 0; remaining.length > 0; round++) {
    if (round > maxBatchRetries) throw new ApiError('unavailable');
    const RequestItems = {
      [TableName]: { Keys: remaining, ConsistentRead: consistent, ...toProjection(attributes) },
    };
    const { Responses, UnprocessedKeys } = await callTable('BatchGetItem', { RequestItems });
    items.push(...(Responses[TableName] ?? []));
    const unprocessed = UnprocessedKeys[TableName]?.Keys ?? [];
    if (unprocessed.length === remaining.length) await pauseAfter(round + 1);
    remaining = unprocessed;
  }
  return items;
}

/** Reads items like `getItems`, but each key only once. Returns a lookup of the items by key. */
export async function lookUpItems(
  keys: Key[],
  options?: ReadOptions,
): Promise<(key: Key) => Item | undefined> {
  const unique = new Map(keys.map((key) => [toKeyText(key), key]));
  const items = await getItems([...unique.values()], options);
  const found = new Map(items.map((item) => [toKeyText(item), item]));
  return (key) => found.get(toKeyText(key));
}

const toKeyText = ({ pk, sk }: Item) => `${pk} ${sk}`;

export async function queryPage(
  input: Omit<QueryCommandInput, 'TableName'>,
): Promise<{ items: Item[]; next: Item | undefined }> {
  const { Items, LastEvaluatedKey } = await callTable('Query', { TableName, ...input });
  return { items: Items, next: LastEvaluatedKey };
}

/** Reads an item with strong consistency. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item } = await callTable('GetItem', { TableName, Key: key, ConsistentRead: true });
  return Item;
}

/**
 * Puts an item if none is stored or if the stored one has expired by `replaceIfExpiredAt` (Unix
 * seconds).
 */
export const putNew = (item: Item & Key, replaceIfExpiredAt?: number): Promise<WriteResult> =>
  callConditional('PutItem', { ...toPutInput(item, replaceIfExpiredAt), TableName });

/** Updates an item. If the condition fails, returns the stored item. */
export const update = (input: Omit<UpdateCommandInput, 'TableName'>): Promise<WriteResult> =>
  callConditional('UpdateItem', {
    TableName,
    ...(input.ConditionExpression && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ...input,
  });

export type Write =
  /** Puts an item as `putNew` does. */
  | { put: Item & Key; replaceIfExpiredAt?: number }
  | { update: TransactedUpdate }
  | { remove: Key; condition?: RemovalCondition }
  | { check: Check };
type RemovalCondition = Pick<
  UpdateCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;
export type TransactedUpdate = Omit<UpdateCommandInput, 'TableName' | 'UpdateExpression'> & {
  UpdateExpression: string;
};
/** Condition on an item that the transaction does not write. */
export type Check = Pick<
  UpdateCommandInput,
  'Key' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> & { ConditionExpression: string };

/**
 * Runs all writes or none. If a condition fails, returns an outcome for each write: whether its
 * condition held and, if not, the stored item. The outcome of a `remove` omits the item. A client
 * request token makes retries safe.
 */
export async function transact(
  writes: Write[],
): Promise<{ done: boolean; outcomes: { isSatisfied: boolean; found: Item | undefined }[] }> {
  const returnOldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map((write) => {
    if ('put' in write)
      return { Put: { ...toPutInput(write.put, write.replaceIfExpiredAt), TableName } };
    if ('remove' in write)
      return { Delete: { ...write.condition, Key: { ...write.remove }, TableName } };
    if ('check' in write)
      return { ConditionCheck: { ...returnOldItem, ...write.check, TableName } };
    return { Update: { ...returnOldItem, ...write.update, TableName } };
  });
  try {
    await callTable('TransactWriteItems', { TransactItems, ClientRequestToken: randomUUID() });
    return { done: true, outcomes: [] };
  } catch (error) {
    if (!isConditionCancellation(error)) throw error;
    const outcomes = error.reasons.map(({ Code, Item }) => ({
      isSatisfied: Code !== 'ConditionalCheckFailed',
      found: Item,
    }));
    return { done: false, outcomes };
  }
}

const toPutInput = (item: Item & Key, replaceIfExpiredAt?: number) => ({
  Item: item,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ...(replaceIfExpiredAt === undefined
    ? { ConditionExpression: absentCondition }
    : {
        ConditionExpression: `${absentCondition} OR ${expiryAttribute} <= :now`,
        ExpressionAttributeValues: { ':now': replaceIfExpiredAt },
      }),
});

async function callConditional(
  operation: 'PutItem' | 'UpdateItem',
  input: object,
): Promise<WriteResult> {
  try {
    const { Attributes } = await callTable(operation, input);
    return { done: true, item: Attributes };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return { done: false, found: error.item };
  }
}

const Image = v.optional(v.custom<Record<string, AttributeValue>>(isObject));

/** Converts an item image from the table's stream. */
export function parseStreamImage(image: unknown): Item | undefined {
  const stored = v.parse(Image, image);
  return stored && unmarshall(stored);
}
