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
  /** Conversations that were deleted and are not gone yet: the purge worker is told of them again. */
  conversations: number;
  /** When the first of them was deleted, in milliseconds; undefined if there is none. */
  oldest: number | undefined;
  /** Messages of the purge worker's failures that were taken from the queue. */
  failures: number;
  /** The same of the live worker's. */
  missing: number;
  /** All feeds begin anew: with one of these at least, or as that was asked. */
  resetsFeeds: boolean;
  /** Feeds that nobody would have looked after any more; undefined if that was not asked. */
  feeds: number | undefined;
}

/**
 * Tells the purge worker again of every deleted conversation that is not gone yet, whatever became of the records that
 * should have told it, and takes the failures from the queue. Doing it once too often changes nothing. Where the live
 * worker has given changes up, these are missing in feeds for good: then every cursor that was given out expires, so that
 * all clients list anew. With `expireCursors` they do anyway: nobody can tell here of changes that the stream had dropped
 * before the worker was given them.
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

/** If the live worker has given anything up, or anyway; and only then what it has given up is forgotten. */
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

/** Goes through the whole table for feeds that have lost what they are looked after by. */
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

/** As soon as DynamoDB removes what has expired; false where it is looked after anyway. */
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

/** False where a condition says that there is nothing to do. */
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

/** SQS is where a queue's URL says, but in the local cloud, whose queues have URLs as in AWS. */
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

/** One that is gone meanwhile needs no touch. */
const touch = ({ client, name }: StageTable, id: string): Promise<boolean> =>
  done(() =>
    client.send(new UpdateCommand({ TableName: name, ...toTombstoneTouch(id, Date.now()) })),
  );

/** Those that it gives are hidden from others for the queue's visibility time-out. */
async function receiveAll({ client, QueueUrl }: FailureQueue): Promise<Message[]> {
  const received: Message[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return received;
    received.push(...Messages);
  }
}
