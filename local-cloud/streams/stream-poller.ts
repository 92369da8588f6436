import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { toErrorMessage } from '../../lib/problem.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import { createLanes, type Lanes, type ReadRecord } from './lanes.ts';
import { type StreamRecord, toStreamRecord } from './stream-event.ts';

export interface PollerOptions {
  client: DynamoDBStreamsClient;
  /** ARN of the stream in DynamoDB Local. */
  localArn: string;
  mapping: EventSourceMapping;
  checkpoints: Checkpoints;
  process(records: readonly StreamRecord[], shardId: string): Promise<void>;
  log(line: string): void;
}

export interface Poller {
  /** Resolves once the start position is determined. The poller reads every later change. */
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
  isFirstRound: boolean;
}

/** Reads a stream's shards, parents before children, and each shard's records in order. */
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

async function watch(state: PollerState): Promise<void> {
  const { stopping, log } = state;
  while (!stopping.aborted) {
    await pause(retryMilliseconds, stopping);
    if (!stopping.aborted) await openShards(state).catch((error) => log(toErrorMessage(error)));
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
        // If the records were trimmed, the next reader starts at the oldest remaining record.
        // DynamoDB Local also throws TrimmedDataAccessException for an empty shard:
        // https://github.com/aws/aws-sdk-java/issues/2923
        if (stopping.aborted || error instanceof TrimmedDataAccessException) return;
        log(`stream ${ShardId}: ${toErrorMessage(error)}`);
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
  // A shard that appears after the first listing continues an earlier shard, so the function must
  // receive all its records.
  const start = isFirstRound ? mapping.startingPosition : 'TRIM_HORIZON';
  if (!position) return getIterator({ ShardIteratorType: start });
  const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position } as const;
  return getIterator(after).catch((error) => {
    // The local cloud may have been stopped for longer than the stream retains records.
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    return getIterator({ ShardIteratorType: 'TRIM_HORIZON' });
  });
}

async function readShard(state: PollerState, shardId: string, iterator: string | undefined) {
  const { mapping, checkpoints, stopping } = state;
  const lanes = createLanes({
    parallelBatches: mapping.parallelBatches,
    batchSize: mapping.batchSize,
    stopping,
    process: (records) => state.process(records, shardId),
    save: (sequenceNumber) => checkpoints.set(mapping.id, shardId, sequenceNumber),
  });
  try {
    await fillLanes(state, lanes, iterator);
  } finally {
    // Waits for all lanes, because the next reader resumes from the last position that they save.
    await lanes.settled();
  }
  await lanes.hasRoom();
  if (!stopping.aborted) state.finished.add(shardId);
}

/** Queues the shard's records when a batch is full or the mapping's window ends. */
async function fillLanes(state: PollerState, lanes: Lanes, iterator: string | undefined) {
  const { client, mapping, stopping } = state;
  const { batchSize, parallelBatches } = mapping;
  const window = mapping.windowSeconds * 1000;
  let collected: ReadRecord[] = [];
  let collectingSince = 0;
  const countRelevant = () => collected.filter(({ isRelevant }) => isRelevant).length;
  for (let next = iterator; next && !stopping.aborted; ) {
    const Limit = Math.min(1000, batchSize * parallelBatches);
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator: next, Limit }),
    );
    const now = Date.now();
    if (countRelevant() === 0) collectingSince = now;
    for (const read of Records) {
      const record = toStreamRecord(read, mapping.streamArn, now);
      collected.push({ record, isRelevant: mapping.matches(record) });
    }
    next = NextShardIterator;
    const isDue = !next || now - collectingSince >= window;
    const ready = isDue ? collected.length : countFullBatches(collected, batchSize);
    lanes.add(collected.slice(0, ready));
    collected = collected.slice(ready);
    if (ready > 0) collectingSince = now;
    await lanes.hasRoom();
    if (Records.length === 0 && next) await pause(pollMilliseconds, stopping);
  }
}

/**
 * Returns the number of records that are ready for processing: all records up to the last full
 * batch, and any records directly after that batch that the function does not receive.
 */
function countFullBatches(collected: readonly ReadRecord[], batchSize: number): number {
  let relevant = 0;
  let ready = 0;
  for (const [n, { isRelevant }] of collected.entries()) {
    if (isRelevant) relevant += 1;
    if (relevant % batchSize === 0) ready = n + 1;
  }
  return ready;
}

const isReadable = (shard: Shard, shards: readonly Shard[], finished: ReadonlySet<string>) =>
  !finished.has(shard.ShardId ?? '') &&
  (!shards.some(({ ShardId }) => ShardId === shard.ParentShardId) ||
    finished.has(shard.ParentShardId ?? ''));

/**
 * Waits for a number of milliseconds. If the signal is aborted, resolves early, without an error.
 */
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
