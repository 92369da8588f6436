import * as v from 'valibot';
import { clock, toSeconds } from '../../clock.ts';
import { queryPage } from '../calls/access.ts';
import { removeItem } from '../calls/remove-items.ts';
import { type Key, toActivitySortKey, unsentPartitions } from '../keys/keys.ts';
import { indexes, tableKey } from '../keys/names.ts';

const { partition, sort } = indexes.gsi3;
const ItemKey = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });

/**
 * Removes the items of uploads that expired before a message contained them. Removing an item
 * triggers the removal of its file. Returns the number of items found. DynamoDB also removes
 * expired items, but may do so days later. Stops at `until` (milliseconds since 1970).
 */
export async function removeExpiredUploads(until: number): Promise<number> {
  const now = clock.now();
  const counts = await Promise.all(unsentPartitions.map((one) => clearPartition(one, now, until)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function clearPartition(value: string, now: number, until: number): Promise<number> {
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const { items, next } = await queryPage({
      IndexName: 'gsi3',
      KeyConditionExpression: `${partition} = :partition AND ${sort} < :next`,
      ExpressionAttributeValues: { ':partition': value, ':next': toActivitySortKey(now + 1, '') },
      ...(start && { ExclusiveStartKey: start }),
    });
    for (const item of items) {
      if (clock.now() >= until) return count;
      await removeUnsent(v.parse(ItemKey, item), now);
      count += 1;
    }
    start = next;
  } while (start);
  return count;
}

/**
 * Removes an upload if it has expired and no message contains it. Checks the upload's item, because
 * the index may be stale.
 */
const removeUnsent = (key: Key, now: number): Promise<void> =>
  removeItem(key, {
    ConditionExpression: 'attribute_not_exists(message_id) AND expires_at <= :now',
    ExpressionAttributeValues: { ':now': toSeconds(now) },
  });
