import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, type Message, SQSClient } from '@aws-sdk/client-sqs';
import { paginateQuery, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Inbox } from '../../shared/inbox.ts';
import { toTombstoneTouch } from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { nextEpochUpdate } from '../../shared/table/feed/next-epoch-update.ts';
import {
  chunkSortPrefix,
  feedMaintenanceKey,
  type Key,
  parseFeedInbox,
  purgePartitions,
} from '../../shared/table/keys/keys.ts';
import { expiryAttribute, indexes, tableKey } from '../../shared/table/keys/names.ts';
import { receiveMessages } from '../stage/receive-messages.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import { openStageTable, type StageTable } from '../stage/stage-table.ts';
import { type RedrivenFiles, redriveFiles } from './redrive-files.ts';

export interface RedriveResult {
  /** Number of deleted conversations and groups resent to the purge worker. */
  conversations: number;
  /** Time of the oldest unpurged deletion in Unix milliseconds; undefined if there is none. */
  oldest: number | undefined;
  /** Number of messages removed from the dead-letter queue of the purge worker. */
  purgeFailures: number;
  /** Number of messages removed from the dead-letter queue of the live worker. */
  liveFailures: number;
  /** Whether the command expired all cursors, on request or because of dropped events. */
  resetsFeeds: boolean;
  /** Number of feeds whose maintenance was restored; undefined without the option `feeds`. */
  restoredFeeds: number | undefined;
  /** Result for files; undefined if `files` is not set or the stage has no attachments. */
  files: RedrivenFiles | undefined;
}

/**
 * Resends every deleted but unpurged conversation and group to the purge worker, and empties the
 * dead-letter queues. Idempotent. If the live worker has dropped events, they are
 * permanently missing from feeds. In that case, the command expires all cursors, so that clients
 * list their conversations again. The command cannot detect records that expired in the stream.
 * If records may have expired, set `expireCursors`.
 */
export async function redrive(
  stage: RunningStage,
  {
    feeds = false,
    files = false,
    expireCursors = false,
  }: {
    feeds?: boolean | undefined;
    files?: boolean | undefined;
    expireCursors?: boolean | undefined;
  } = {},
): Promise<RedriveResult> {
  const table = openStageTable(stage);
  const client = createQueueClient(stage.sqs);
  const queue = { client, QueueUrl: stage.output('PurgeFailuresUrl') };
  const failures = await receiveAll(queue);
  const tombstones = (
    await Promise.all(purgePartitions.map((one) => readTombstones(table, one)))
  ).flat();
  for (const { key } of tombstones) await touchTombstone(table, key);
  await deleteMessages(queue, failures);
  const liveQueueUrl = stage.findOutput('LiveFailuresUrl');
  const { liveFailures, resetsFeeds } = liveQueueUrl
    ? await expireCursorsIfNeeded(table, { client, QueueUrl: liveQueueUrl }, expireCursors)
    : { liveFailures: 0, resetsFeeds: false };
  const times = tombstones.map(({ deleted_at }) => deleted_at);
  return {
    conversations: tombstones.length,
    oldest: times.length > 0 ? Math.min(...times) : undefined,
    purgeFailures: failures.length,
    liveFailures,
    resetsFeeds,
    restoredFeeds: feeds ? await restoreFeedMaintenance(table) : undefined,
    files: files ? await redriveFiles(stage, table) : undefined,
  };
}

/**
 * Expires the cursors if forced or if the live worker's dead-letter queue contains events. Deletes
 * these events last, so that a rerun after a crash still finds them.
 */
async function expireCursorsIfNeeded(
  { client, name }: StageTable,
  queue: FailureQueue,
  isForced: boolean,
): Promise<Pick<RedriveResult, 'liveFailures' | 'resetsFeeds'>> {
  const failures = await receiveAll(queue);
  const resetsFeeds = isForced || failures.length > 0;
  if (resetsFeeds) await client.send(new UpdateCommand({ TableName: name, ...nextEpochUpdate }));
  await deleteMessages(queue, failures);
  return { liveFailures: failures.length, resetsFeeds };
}

/**
 * Scans the table for feeds without a maintenance item, and restores their maintenance. Returns the
 * number of restored feeds.
 */
async function restoreFeedMaintenance({ client, name }: StageTable): Promise<number> {
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: `begins_with(${tableKey.sort}, :chunks) AND attribute_not_exists(${expiryAttribute}) AND attribute_not_exists(emptied)`,
      ProjectionExpression: tableKey.partition,
      ExpressionAttributeValues: { ':chunks': chunkSortPrefix },
    },
  );
  const partitions = new Set<string>();
  for await (const { Items = [] } of pages) {
    for (const { pk } of v.parse(v.array(v.object({ pk: v.string() })), Items)) partitions.add(pk);
  }
  let restored = 0;
  for (const pk of partitions) {
    const inbox = parseFeedInbox({ pk });
    if (inbox && (await scheduleMaintenance({ client, name }, inbox))) restored += 1;
  }
  return restored;
}

/**
 * Creates a maintenance item that has already expired. The maintenance starts when DynamoDB deletes
 * the item. Returns false if the feed already has a maintenance item.
 */
async function scheduleMaintenance({ client, name }: StageTable, inbox: Inbox): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: name,
    Key: feedMaintenanceKey(inbox),
    UpdateExpression: `SET ${expiryAttribute} = :now`,
    ConditionExpression: `attribute_not_exists(${expiryAttribute})`,
    ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
  });
  return writeIfNeeded(() => client.send(command));
}

/** Runs a conditional write. If the condition fails, the write is unnecessary: returns false. */
async function writeIfNeeded(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function deleteMessages({ client, QueueUrl }: FailureQueue, messages: readonly Message[]) {
  for (const { ReceiptHandle } of messages) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

interface FailureQueue {
  client: SQSClient;
  QueueUrl: string;
}

/**
 * Returns a client that sends requests to the queue URL. In the local cloud, it sends them to the
 * configured endpoint, because the queue URLs there contain AWS hosts.
 */
const createQueueClient = (config: RunningStage['sqs']) =>
  new SQSClient({ ...config, useQueueUrlAsEndpoint: config.endpoint === undefined });

const Tombstone = v.pipe(
  v.object({ pk: v.string(), sk: v.string(), deleted_at: v.number() }),
  v.transform(({ pk, sk, deleted_at }) => ({ key: { pk, sk }, deleted_at })),
);

async function readTombstones({ client, name }: StageTable, partition: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      IndexName: 'gsi1',
      KeyConditionExpression: `${indexes.gsi1.partition} = :partition`,
      ExpressionAttributeValues: { ':partition': partition },
    },
  );
  const found: v.InferOutput<typeof Tombstone>[] = [];
  for await (const { Items = [] } of pages) found.push(...v.parse(v.array(Tombstone), Items));
  return found;
}

/**
 * Updates a tombstone, so that the stream invokes the purge worker. Returns false if the tombstone
 * was purged in the meantime.
 */
const touchTombstone = ({ client, name }: StageTable, key: Key): Promise<boolean> =>
  writeIfNeeded(() =>
    client.send(new UpdateCommand({ TableName: name, ...toTombstoneTouch(key, Date.now()) })),
  );

async function receiveAll(queue: FailureQueue): Promise<Message[]> {
  const received: Message[] = [];
  for await (const message of receiveMessages(queue)) received.push(message);
  return received;
}
