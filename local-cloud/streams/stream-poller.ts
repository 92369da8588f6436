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

interface PollerState extends PollerOptions {
  readonly stopping: AbortSignal;
  /** Ids of shards that were read completely. */
  readonly finished: Set<string>;
  readonly open: Map<string, Promise<void>>;
  /** The shards found now are those of the start. */
  isFirstRound: boolean;
}

/** Reads a stream shard by shard, parents before children, each in order. */
export function startPoller(options: PollerOptions): Poller {
  const stop = new AbortController();
  const state: PollerState = {
    ...options,
    stopping: stop.signal,
    finished: new Set(),
    open: new Map(),
    isFirstRound: true,
  };
  const ready = openShards(state);
  const watching = ready.then(() => watch(state)).catch(() => {});
  return {
    ready,
    stop: async () => {
      stop.abort();
      await watching;
      await Promise.all(state.open.values());
    },
  };
}

/** Opens new shards until the poller stops. */
async function watch(state: PollerState): Promise<void> {
  const { stopping, log } = state;
  while (!stopping.aborted) {
    await pause(retryMilliseconds, stopping);
    if (!stopping.aborted) await openShards(state).catch((error) => log(messageOf(error)));
  }
}

async function openShards(state: PollerState): Promise<void> {
  const { client, localArn, finished, open, stopping, log } = state;
  const { StreamDescription } = await client.send(
    new DescribeStreamCommand({ StreamArn: localArn }),
  );
  const shards = StreamDescription?.Shards ?? [];
  for (const { ShardId } of shards.filter((shard) => isReadable(shard, shards, finished))) {
    if (!ShardId || open.has(ShardId)) continue;
    const iterator = await getStartIterator(state, ShardId);
    const reading = readShard(state, ShardId, iterator)
      .catch(async (error) => {
        if (stopping.aborted) return;
        log(`stream ${ShardId}: ${messageOf(error)}`);
        await pause(retryMilliseconds, stopping);
      })
      .finally(() => open.delete(ShardId));
    open.set(ShardId, reading);
  }
  state.isFirstRound = false;
}

async function getStartIterator(state: PollerState, shardId: string): Promise<string | undefined> {
  const { client, localArn, mapping, checkpoints, isFirstRound } = state;
  const getIterator = async (
    start: Omit<GetShardIteratorCommandInput, 'StreamArn' | 'ShardId'>,
  ) => {
    const shard = { StreamArn: localArn, ShardId: shardId };
    return (await client.send(new GetShardIteratorCommand({ ...shard, ...start }))).ShardIterator;
  };
  const position = checkpoints.get(mapping.id, shardId);
  // Later shards continue earlier ones, so none of their records is old.
  const start = isFirstRound ? mapping.startingPosition : 'TRIM_HORIZON';
  if (!position) return getIterator({ ShardIteratorType: start });
  const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position } as const;
  return getIterator(after).catch((error) => {
    // After a stop longer than the retention, continues with the remaining records.
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    return getIterator({ ShardIteratorType: 'TRIM_HORIZON' });
  });
}

/** Reads a shard to its end, and passes on its records in batches of the mapping. */
async function readShard(state: PollerState, shardId: string, iterator: string | undefined) {
  const { client, mapping, checkpoints, stopping } = state;
  const window = mapping.windowSeconds * 1000;
  let collected: StreamRecord[] = [];
  let collectingSince = 0;
  for (let next = iterator; next && !stopping.aborted; ) {
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
      await state.process(collected.slice(0, mapping.batchSize), shardId);
      collected = collected.slice(mapping.batchSize);
      collectingSince = Date.now();
    }
    // Records that are only collected must be read again after a stop.
    const last = records.at(-1);
    if (last && collected.length === 0) {
      checkpoints.set(mapping.id, shardId, last.dynamodb.SequenceNumber);
    }
    if (!last && next) await pause(pollMilliseconds, stopping);
  }
  if (!stopping.aborted) state.finished.add(shardId);
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
