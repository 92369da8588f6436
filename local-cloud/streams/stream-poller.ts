import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { messageOf } from '../../lib/problem.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import { type StreamRecord, toStreamRecord } from './stream-event.ts';

export interface PollerOptions {
  client: DynamoDBStreamsClient;
  /** ARN of the stream in DynamoDB Local. */
  localArn: string;
  mapping: EventSourceMapping;
  checkpoints: Checkpoints;
  /** Resolves once the records are processed. */
  process(records: readonly StreamRecord[], shardId: string): Promise<void>;
  log(line: string): void;
}

export interface Poller {
  /** Resolves once records of every later change will be seen. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

const pollMilliseconds = 100;
const retryMilliseconds = 1000;

/** Reads a stream shard by shard, parents before children, each in order. */
export function startPoller(options: PollerOptions): Poller {
  const { client, localArn, mapping, checkpoints, log } = options;
  const stopping = new AbortController();
  const window = mapping.windowSeconds * 1000;
  const finished = new Set<string>();
  const open = new Map<string, Promise<void>>();
  let round = 0;

  const readShard = async (shardId: string, iterator: string | undefined) => {
    let collected: StreamRecord[] = [];
    let collectingSince = 0;
    for (let next = iterator; next && !stopping.signal.aborted; ) {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: next, Limit: Math.min(1000, mapping.batchSize) }),
      );
      const now = Date.now();
      const records = Records.map((record) => toStreamRecord(record, mapping.streamArn, now));
      if (collected.length === 0) collectingSince = Date.now();
      collected.push(...records.filter(mapping.matches));
      next = NextShardIterator;
      const isDue = () => !next || Date.now() - collectingSince >= window;
      while (collected.length >= mapping.batchSize || (collected.length > 0 && isDue())) {
        await options.process(collected.slice(0, mapping.batchSize), shardId);
        collected = collected.slice(mapping.batchSize);
        collectingSince = Date.now();
      }
      // Records that are only collected must be read again after a stop.
      const last = records.at(-1);
      if (last && collected.length === 0) {
        checkpoints.set(mapping.id, shardId, last.dynamodb.SequenceNumber);
      }
      if (!last && next) await pause(pollMilliseconds, stopping.signal);
    }
    if (!stopping.signal.aborted) finished.add(shardId);
  };

  const getIterator = async (start: GetShardIteratorCommandInput) =>
    (await client.send(new GetShardIteratorCommand(start))).ShardIterator;

  const getStartIterator = async (shardId: string) => {
    const shard = { StreamArn: localArn, ShardId: shardId };
    const position = checkpoints.get(mapping.id, shardId);
    // Later shards continue earlier ones, so none of their records is old.
    const start = round === 0 ? mapping.startingPosition : 'TRIM_HORIZON';
    if (!position) return getIterator({ ...shard, ShardIteratorType: start });
    return getIterator({
      ...shard,
      ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
      SequenceNumber: position,
    }).catch((error) => {
      // After a stop longer than the retention, continues with the remaining records.
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      return getIterator({ ...shard, ShardIteratorType: 'TRIM_HORIZON' });
    });
  };

  const openShards = async () => {
    const { StreamDescription } = await client.send(
      new DescribeStreamCommand({ StreamArn: localArn }),
    );
    const shards = StreamDescription?.Shards ?? [];
    for (const { ShardId } of shards.filter((shard) => isReadable(shard, shards, finished))) {
      if (!ShardId || open.has(ShardId)) continue;
      const iterator = await getStartIterator(ShardId);
      const reading = readShard(ShardId, iterator)
        .catch(async (error) => {
          if (stopping.signal.aborted) return;
          log(`stream ${ShardId}: ${messageOf(error)}`);
          await pause(retryMilliseconds, stopping.signal);
        })
        .finally(() => open.delete(ShardId));
      open.set(ShardId, reading);
    }
    round += 1;
  };

  const ready = openShards();
  const watch = async () => {
    await ready;
    while (!stopping.signal.aborted) {
      await pause(retryMilliseconds, stopping.signal);
      if (!stopping.signal.aborted) await openShards().catch((error) => log(messageOf(error)));
    }
  };
  const watching = watch().catch(() => {});
  return {
    ready,
    stop: async () => {
      stopping.abort();
      await watching;
      await Promise.all(open.values());
    },
  };
}

const isReadable = (shard: Shard, shards: readonly Shard[], finished: ReadonlySet<string>) =>
  !finished.has(shard.ShardId ?? '') &&
  (!shards.some(({ ShardId }) => ShardId === shard.ParentShardId) ||
    finished.has(shard.ParentShardId ?? ''));

/** Waits, and ends early without an error when the poller stops. */
export const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
