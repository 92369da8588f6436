import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { paginateQuery, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Inbox } from '../../shared/inbox.ts';
import {
  ConversationTombstone,
  toTombstoneTouch,
} from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { nextEpochUpdate } from '../../shared/table/feed/next-epoch-update.ts';
import {
  chunkSortPrefix,
  feedMaintenanceKey,
  parseConversationPartition,
  parseFeedInbox,
  purgePartitions,
} from '../../shared/table/keys/keys.ts';
import { expiryAttribute, indexes, tableKey } from '../../shared/table/keys/names.ts';
import type { RunningStage } from '../stage/stage.ts';
import { type StageTable, tableOf } from '../stage/table.ts';

export interface Redriven {
  /** Deleted conversations not yet purged, and sent to the purge worker again. */
  conversations: number;
  /** When the first of them was deleted, in milliseconds; undefined if there is none. */
  oldest: number | undefined;
  /** Messages removed from the dead-letter queue of the purge worker. */
  failures: number;
  /** Messages removed from the dead-letter queue of the live worker. */
  missing: number;
  /** Whether all cursors expired: because of such a message, or as requested. */
  resetsFeeds: boolean;
  /** Feeds that had lost their maintenance entry; undefined if not requested. */
  feeds: number | undefined;
}

/**
 * Sends every deleted conversation that is not yet purged to the purge worker again, and empties
 * the dead-letter queues. Idempotent. If the live worker has dropped events, feeds miss them
 * permanently; then all cursors expire, so that clients list again. `expireCursors` forces that:
 * events dropped from the stream before the worker received them cannot be detected here.
 */
export async function redrive(
  stage: RunningStage,
  {
    feeds = false,
    expireCursors = false,
  }: { feeds?: boolean | undefined; expireCursors?: boolean | undefined } = {},
): Promise<Redriven> {
  const table = tableOf(stage);
  const client = queueClient(stage.sqs);
  const queue = { client, QueueUrl: stage.output('PurgeFailuresUrl') };
  const failures = await receiveAll(queue);
  const tombstones = (
    await Promise.all(purgePartitions.map((one) => tombstonesIn(table, one)))
  ).flat();
  for (const { id } of tombstones) await touch(table, id);
  await removeAll(queue, failures);
  const liveQueueUrl = stage.outputIfAny('LiveFailuresUrl');
  const { missing, resetsFeeds } = liveQueueUrl
    ? await resetFeeds(table, { client, QueueUrl: liveQueueUrl }, expireCursors)
    : { missing: 0, resetsFeeds: false };
  const times = tombstones.map(({ deleted_at }) => deleted_at);
  return {
    conversations: tombstones.length,
    oldest: times.length > 0 ? Math.min(...times) : undefined,
    failures: failures.length,
    missing,
    resetsFeeds,
    feeds: feeds ? await haveFeedsLookedAfter(table) : undefined,
  };
}

/**
 * Expires the cursors if the live worker has failed events or if forced, and only then deletes the
 * failed events.
 */
async function resetFeeds(
  { client, name }: StageTable,
  queue: FailureQueue,
  anyway: boolean,
): Promise<Pick<Redriven, 'missing' | 'resetsFeeds'>> {
  const failures = await receiveAll(queue);
  const resetsFeeds = anyway || failures.length > 0;
  if (resetsFeeds) await client.send(new UpdateCommand({ TableName: name, ...nextEpochUpdate }));
  await removeAll(queue, failures);
  return { missing: failures.length, resetsFeeds };
}

/** Scans the table for feeds that have lost their maintenance entry. */
async function haveFeedsLookedAfter({ client, name }: StageTable): Promise<number> {
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: `begins_with(${tableKey.sort}, :chunks) AND attribute_not_exists(${expiryAttribute}) AND attribute_not_exists(emptied)`,
      ProjectionExpression: tableKey.partition,
      ExpressionAttributeValues: { ':chunks': chunkSortPrefix },
    },
  );
  const found = new Set<string>();
  for await (const { Items = [] } of pages) {
    for (const { pk } of v.parse(v.array(v.object({ pk: v.string() })), Items)) found.add(pk);
  }
  let unchecked = 0;
  for (const pk of found) {
    const inbox = parseFeedInbox({ pk });
    if (inbox && (await checkNow({ client, name }, inbox))) unchecked += 1;
  }
  return unchecked;
}

/** Marks it as expired, so that DynamoDB deletes it. Returns false if it is already maintained. */
async function checkNow({ client, name }: StageTable, inbox: Inbox): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: name,
    Key: feedMaintenanceKey(inbox),
    UpdateExpression: `SET ${expiryAttribute} = :now`,
    ConditionExpression: `attribute_not_exists(${expiryAttribute})`,
    ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
  });
  return done(() => client.send(command));
}

/** Returns false if the condition check failed because there was nothing to do. */
async function done(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function removeAll({ client, QueueUrl }: FailureQueue, messages: readonly Message[]) {
  for (const { ReceiptHandle } of messages) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

interface FailureQueue {
  client: SQSClient;
  QueueUrl: string;
}

/**
 * Uses the endpoint in the queue's URL, except in the local cloud, whose queue URLs look like those
 * of AWS.
 */
const queueClient = (config: RunningStage['sqs']) =>
  new SQSClient({ ...config, useQueueUrlAsEndpoint: config.endpoint === undefined });

const Deleted = v.pipe(
  v.object({ pk: v.string(), ...ConversationTombstone.entries }),
  v.transform(({ pk, deleted_at }) => ({
    id: parseConversationPartition({ pk }) ?? '',
    deleted_at,
  })),
);

async function tombstonesIn({ client, name }: StageTable, partition: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      IndexName: 'gsi1',
      KeyConditionExpression: `${indexes.gsi1.partition} = :partition`,
      ExpressionAttributeValues: { ':partition': partition },
    },
  );
  const found: v.InferOutput<typeof Deleted>[] = [];
  for await (const { Items = [] } of pages) found.push(...v.parse(v.array(Deleted), Items));
  return found;
}

/** Conversations purged in the meantime are skipped. */
const touch = ({ client, name }: StageTable, id: string): Promise<boolean> =>
  done(() =>
    client.send(new UpdateCommand({ TableName: name, ...toTombstoneTouch(id, Date.now()) })),
  );

/** Returned messages are hidden from other consumers for the visibility timeout of the queue. */
async function receiveAll({ client, QueueUrl }: FailureQueue): Promise<Message[]> {
  const received: Message[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return received;
    received.push(...Messages);
  }
}
