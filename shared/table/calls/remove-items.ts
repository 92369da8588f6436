import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { env } from '../../env.ts';
import type { Key } from '../keys/keys.ts';
import { callWithRetries, client, isConditionFailure } from './client.ts';
import type { Condition } from './expressions.ts';

/** Maximum keys per BatchWriteItem call. */
export const maxKeysPerBatch = 25;

const Consumed = v.optional(v.array(v.object({ CapacityUnits: v.number() })), []);

/** Deletes at most `maxKeysPerBatch` items, or some of them. Returns the write units consumed. */
export async function removeItems(keys: readonly Key[]): Promise<number> {
  const requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const command = new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } });
  const { ConsumedCapacity } = await callWithRetries((options) => client.send(command, options));
  return v
    .parse(Consumed, ConsumedCapacity)
    .reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

export async function removeItem({ pk, sk }: Key, condition?: Condition): Promise<void> {
  const command = new DeleteCommand({
    TableName: env('TABLE_NAME'),
    Key: { pk, sk },
    ...condition,
  });
  try {
    await callWithRetries((options) => client.send(command, options));
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
