import * as v from 'valibot';
import { clock, maxRequestMilliseconds } from '../../../clock.ts';
import { removeFilesOf } from '../../attachments/remove-attachments.ts';
import { getItem, queryPage, update } from '../../calls/access.ts';
import { maxKeysPerBatch, removeItem, removeItems } from '../../calls/remove-items.ts';
import { conversationKey, toDistinctKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import {
  ConversationTombstone,
  isDeleted,
  toTombstoneTouch,
} from '../items/conversation-tombstone.ts';

const pageSize = 500;

export interface PurgeLimits {
  /** Time at which to stop, in milliseconds since 1970. */
  until: number;
  /** Maximum write units per second. */
  rate: number;
}

/** `not_deleted`: the conversation or group exists, and nothing was changed. */
export type PurgeResult = 'purged' | 'unfinished' | 'not_deleted';

/**
 * Waits for requests that may have read the conversation before its deletion. Then removes its
 * items and files, its distinct record and, last, its tombstone. If work remains, updates the
 * tombstone, which triggers the next call. Safe to repeat at any time.
 */
export async function purgeConversation(id: string, limits: PurgeLimits): Promise<PurgeResult> {
  const conversation = await getItem(conversationKey(id));
  if (conversation && !isDeleted(conversation)) return 'not_deleted';
  const tombstone = conversation && v.parse(ConversationTombstone, conversation);
  const isSettled = !tombstone || (await waitForRequests(tombstone, limits));
  if (isSettled && (await clearPartition(id, limits))) {
    if (tombstone?.distinct_pair) await removeDistinctRecord(id, tombstone.distinct_pair);
    await removeItem(conversationKey(id));
    return 'purged';
  }
  await update(toTombstoneTouch(conversationKey(id), clock.now()));
  return 'unfinished';
}

const removeDistinctRecord = (id: string, pair: string): Promise<void> =>
  removeItem(toDistinctKey(pair), {
    ConditionExpression: 'conversation_id = :id',
    ExpressionAttributeValues: { ':id': id },
  });

/**
 * Waits until all requests that started before the deletion have ended. Returns false if too little
 * time remains.
 */
async function waitForRequests(
  { deleted_at }: ConversationTombstone,
  { until }: PurgeLimits,
): Promise<boolean> {
  const settledAt = deleted_at + maxRequestMilliseconds;
  if (settledAt >= until) return false;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  return true;
}

/** Removes the files and all items except the tombstone. Returns false if time runs out. */
async function clearPartition(id: string, { until, rate }: PurgeLimits): Promise<boolean> {
  for (;;) {
    const keys = await readKeys(id);
    if (keys.length === 0) return true;
    for (let offset = 0; offset < keys.length; offset += maxKeysPerBatch) {
      const start = clock.now();
      if (start >= until) return false;
      const batch = keys.slice(offset, offset + maxKeysPerBatch);
      // Removes files before items, so that after a crash, the remaining items identify the
      // remaining files.
      await removeFilesOf(batch);
      // Counts unprocessed deletes too, so that their retries do not exceed the rate.
      const units = Math.max(batch.length, await removeItems(batch));
      await clock.sleep(Math.max(0, start + (units / rate) * 1000 - clock.now()));
    }
  }
}

const { partition, sort } = tableKey;
const Keys = v.array(v.object({ [partition]: v.string(), [sort]: v.string() }));

async function readKeys(id: string) {
  const { pk, sk: tombstone } = conversationKey(id);
  const { items } = await queryPage({
    KeyConditionExpression: `${partition} = :pk`,
    ExpressionAttributeValues: { ':pk': pk },
    ProjectionExpression: `${partition}, ${sort}`,
    ConsistentRead: true,
    Limit: pageSize,
  });
  return v.parse(Keys, items).filter(({ sk }) => sk !== tombstone);
}
