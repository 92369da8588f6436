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
import { conversationIdOf, purgePartitions } from '../../shared/table/keys/keys.ts';
import { indexes } from '../../shared/table/keys/names.ts';
import type { RunningStage } from '../running/stage.ts';
import { type StageTable, tableOf } from '../running/table.ts';

export interface Redriven {
  /** Conversations that were deleted and are not gone yet: the purge worker is told of them again. */
  conversations: number;
  /** When the first of them was deleted, in milliseconds; undefined if there is none. */
  oldest: number | undefined;
  /** Messages of failures that were taken from the queue. */
  failures: number;
}

/**
 * Tells the purge worker again of every deleted conversation that is not gone yet, whatever became of the records that
 * should have told it, and takes the failures from the queue. Doing it once too often changes nothing.
 */
export async function redrive(stage: RunningStage): Promise<Redriven> {
  const table = tableOf(stage);
  const queue = { client: queueClient(stage.sqs), QueueUrl: stage.output('PurgeFailuresUrl') };
  const failures = await receiveAll(queue);
  const tombstones = (
    await Promise.all(purgePartitions.map((one) => tombstonesIn(table, one)))
  ).flat();
  for (const { id } of tombstones) await touch(table, id);
  for (const { ReceiptHandle } of failures) {
    await queue.client.send(new DeleteMessageCommand({ QueueUrl: queue.QueueUrl, ReceiptHandle }));
  }
  const times = tombstones.map(({ deleted_at }) => deleted_at);
  return {
    conversations: tombstones.length,
    oldest: times.length > 0 ? Math.min(...times) : undefined,
    failures: failures.length,
  };
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
