import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { conversationKey, type Key } from '../../../shared/table/keys/keys.ts';
import { queryAll } from '../table/query-all.ts';

const Handler = v.object({ handler: v.function() });
const Result = v.object({
  batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })),
});

/** The purge worker's time limit in milliseconds. The worker reserves the last 15 seconds. */
const workerTime = 180_000;

interface Invocation {
  milliseconds?: number;
  /** Deletion time of the conversations in the stream records, in milliseconds. */
  deletedAt?: number;
}

/**
 * Invokes the purge worker as the table's stream does. Returns the indexes of the conversations
 * that failed.
 */
export const runPurgeWorker = (conversationIds: string[], invocation?: Invocation) =>
  callWorker(conversationIds.map(conversationKey), invocation);

export const purgeKey = (key: Key) => callWorker([key]);

const callWorker = (keys: Key[], { milliseconds, deletedAt }: Invocation = {}) =>
  purgeRecords(keys.map(recordOf(deletedAt)), { ...(milliseconds && { milliseconds }) });

/** Invokes the purge worker. `at` is the records' creation time in Unix milliseconds. */
export async function purgeRecords(
  records: readonly { dynamodb: object }[],
  { milliseconds = workerTime, at = clock.now() } = {},
): Promise<string[]> {
  const { handler } = v.parse(Handler, await import('../../../functions/purge.ts'));
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => milliseconds };
  const ApproximateCreationDateTime = Math.floor(at / 1000);
  const Records = records.map(({ dynamodb, ...record }) => ({
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime },
  }));
  const result = await handler({ Records }, context);
  const { batchItemFailures } = v.parse(Result, result);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

/** Invokes the purge worker as its schedule does. */
export async function runPurgeSchedule(): Promise<void> {
  const { handler } = v.parse(Handler, await import('../../../functions/purge.ts'));
  const event = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };
  await handler(event, { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => workerTime });
}

const recordOf =
  (deletedAt?: number) =>
  ({ pk, sk }: Key, n: number) => ({
    eventName: 'MODIFY',
    dynamodb: {
      SequenceNumber: String(n),
      Keys: { pk: { S: pk }, sk: { S: sk } },
      ...(deletedAt !== undefined && { NewImage: { deleted_at: { N: String(deletedAt) } } }),
    },
  });

export async function getSortKeys(conversationId: string): Promise<unknown[]> {
  const { pk } = conversationKey(conversationId);
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  return items.map(({ sk }) => sk);
}
