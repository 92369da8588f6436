import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { env } from '../../env.ts';
import type { Key } from '../keys/keys.ts';
import { call, client, isConditionFailure } from './client.ts';
import type { Condition } from './expressions.ts';

/** As many as DynamoDB removes at once. */
export const maxRemoved = 25;

const Consumed = v.optional(v.array(v.object({ CapacityUnits: v.number() })), []);

/**
 * Removes the items of at most `mostRemoved` keys, as far as the table takes it now: what it leaves
 * unprocessed is still there. Gives the write units that it cost, indexes included.
 */
export async function removeItems(keys: readonly Key[]): Promise<number> {
  const requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const command = new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } });
  const { ConsumedCapacity } = await call((options) => client.send(command, options));
  return v
    .parse(Consumed, ConsumedCapacity)
    .reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

/** Removes the item, if the condition holds; where there is none, it is sure to be gone. */
export async function removeItem({ pk, sk }: Key, condition?: Condition): Promise<void> {
  const command = new DeleteCommand({
    TableName: env('TABLE_NAME'),
    Key: { pk, sk },
    ...condition,
  });
  try {
    await call((options) => client.send(command, options));
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
