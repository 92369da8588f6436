import { randomUUID } from 'node:crypto';
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams';
import { Problem } from '../../lib/problem.ts';
import { region } from '../account.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type AbandonReason, deliverBatch } from './deliver-batch.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import type { StreamRecord } from './stream-event.ts';
import { pause, startPoller } from './stream-poller.ts';

export interface StreamsOptions {
  /** Endpoint of the table engine. */
  endpoint: string;
  mappings: readonly EventSourceMapping[];
  checkpoints: Checkpoints;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  send(queueArn: string, message: unknown): void;
  log(line: string): void;
}

export interface Streams {
  /**
   * Stops delivery. Must run before the functions stop, so that interrupted invocations do not
   * count as attempts.
   */
  stop(): void;
  ended(): Promise<void>;
}

/** Delivers table streams to functions according to the template's mappings. */
export async function startStreams(options: StreamsOptions): Promise<Streams> {
  const { endpoint, mappings, checkpoints, invoke, send, log } = options;
  const client = new DynamoDBStreamsClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const stopping = new AbortController();
  const pollers = await Promise.all(
    mappings.map(async (mapping) => {
      const poller = startPoller({
        client,
        localArn: await findLocalStreamArn(client, mapping),
        mapping,
        checkpoints,
        log,
        process: (batch, shardId) =>
          deliverBatch(mapping, batch, {
            invoke: async (Records) => {
              const outcome = await invoke(mapping.target.arn, { Records });
              if (!outcome.ok) stopping.signal.throwIfAborted();
              return outcome;
            },
            pause: async (milliseconds) => {
              await pause(milliseconds, stopping.signal);
              stopping.signal.throwIfAborted();
            },
            abandon: (records, reason) => {
              log(`${mapping.id}: abandoned ${records.length} records, ${reason.condition}`);
              if (!mapping.failureQueue) return;
              send(mapping.failureQueue, toFailureMessage(mapping, shardId, records, reason));
            },
          }),
      });
      await poller.ready;
      return poller;
    }),
  );
  let ended: Promise<unknown> = Promise.resolve();
  return {
    stop: () => {
      stopping.abort();
      ended = Promise.all(pollers.map((poller) => poller.stop()));
    },
    ended: async () => {
      await ended;
      client.destroy();
    },
  };
}

/** Finds the stream by the table's name, because DynamoDB Local assigns its own stream ARNs. */
async function findLocalStreamArn(
  client: DynamoDBStreamsClient,
  { id, streamArn }: EventSourceMapping,
) {
  const [, table] = /:table\/([^/]+)\/stream\//.exec(streamArn) ?? [];
  const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: table }));
  const found = Streams.at(-1)?.StreamArn;
  if (!found) throw new Problem(`${id}: the table ${table} has no stream`);
  return found;
}

/**
 * Returns the message that Lambda sends to the failure queue. The message does not contain the
 * records.
 */
function toFailureMessage(
  { target, streamArn }: EventSourceMapping,
  shardId: string,
  records: readonly StreamRecord[],
  { condition, invocations }: AbandonReason,
) {
  const formatTime = (record: StreamRecord | undefined) =>
    new Date((record?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: target.arn,
      condition,
      approximateInvokeCount: invocations,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      functionError: 'Unhandled',
    },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: formatTime(records[0]),
      approximateArrivalOfLastRecord: formatTime(records.at(-1)),
      batchSize: records.length,
      streamArn,
    },
  };
}
