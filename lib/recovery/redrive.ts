import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Tombstone, touchTombstone } from '../../shared/table/conversations/tombstone.ts';
import { nextEpoch } from '../../shared/table/feed/epoch.ts';
import { conversationIdOf, purgePartitions } from '../../shared/table/keys/keys.ts';
import { indexes } from '../../shared/table/keys/names.ts';
import type { RunningStage } from '../running/stage.ts';
import { type StageTable, tableOf } from '../running/table.ts';

export interface Redriven {
  /** Conversations that were deleted and are not gone yet: the purge worker is told of them again. */
  conversations: number;
  /** When the first of them was deleted, in milliseconds; undefined if there is none. */
  oldest: number | undefined;
  /** Messages of the purge worker's failures that were taken from the queue. */
  failures: number;
  /** The same of the live worker's. With one at least, all feeds begin anew. */
  missing: number;
}

/**
 * Tells the purge worker again of every deleted conversation that is not gone yet, whatever became of the records that
 * should have told it, and takes the failures from the queue. Doing it once too often changes nothing. Where the live
 * worker has given changes up, these are missing in feeds for good: then every cursor that was given out expires, so that
 * all clients list anew.
 */
export async function redrive(stage: RunningStage): Promise<Redriven> {
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
  const missing = liveQueueUrl
    ? await beginFeedsAnew(table, { client, QueueUrl: liveQueueUrl })
    : 0;
  const times = tombstones.map(({ deleted_at }) => deleted_at);
  return {
    conversations: tombstones.length,
    oldest: times.length > 0 ? Math.min(...times) : undefined,
    failures: failures.length,
    missing,
  };
}

/** Only if the live worker has given anything up; and only then it is forgotten. */
async function beginFeedsAnew({ client, name }: StageTable, queue: FailureQueue): Promise<number> {
  const failures = await receiveAll(queue);
  if (failures.length > 0) {
    await client.send(new UpdateCommand({ TableName: name, ...nextEpoch }));
    await removeAll(queue, failures);
  }
  return failures.length;
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
  v.object({ pk: v.string(), ...Tombstone.entries }),
  v.transform(({ pk, deleted_at }) => ({ id: conversationIdOf({ pk }) ?? '', deleted_at })),
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
async function touch({ client, name }: StageTable, id: string): Promise<void> {
  try {
    await client.send(new UpdateCommand({ TableName: name, ...touchTombstone(id, Date.now()) }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

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
