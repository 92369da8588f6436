import { env } from '../../env.ts';
import type { Key } from '../keys/keys.ts';
import { callTable, isConditionFailure } from './client.ts';
import type { Condition } from './expressions.ts';

/** Maximum number of keys per BatchWriteItem call. */
export const maxKeysPerBatch = 25;

/**
 * Deletes up to `maxKeysPerBatch` items. DynamoDB may leave some items unprocessed. Returns the
 * consumed write units.
 */
export async function removeItems(keys: readonly Key[]): Promise<number> {
  const requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const { ConsumedCapacity } = await callTable('BatchWriteItem', {
    RequestItems: { [env('TABLE_NAME')]: requests },
  });
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

export async function removeItem({ pk, sk }: Key, condition?: Condition): Promise<void> {
  try {
    await callTable('DeleteItem', {
      TableName: env('TABLE_NAME'),
      Key: { pk, sk },
      ...condition,
    });
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
