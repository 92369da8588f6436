import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { handler } from '../../../functions/live.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { parseEventPattern } from '../../../local-cloud/streams/event-pattern.ts';
import { type StreamRecord, toStreamRecord } from '../../../local-cloud/streams/stream-event.ts';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import { documentClient } from '../table/document-client.ts';

const streams = new DynamoDBStreamsClient({ endpoint: env('AWS_ENDPOINT_URL_DYNAMODB') });
const batchSize = 100;

/** Read position of each shard of the stream. */
const iterators = new Map<string, string | undefined>();

/** Returns all table changes since the last call, in stream order. */
export async function readNewRecords(): Promise<StreamRecord[]> {
  const { Table } = await documentClient.send(
    new DescribeTableCommand({ TableName: env('TABLE_NAME') }),
  );
  const StreamArn = Table?.LatestStreamArn ?? '';
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const records: StreamRecord[] = [];
  for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
    if (!iterators.has(ShardId)) {
      const first = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
      const { ShardIterator } = await streams.send(new GetShardIteratorCommand(first));
      iterators.set(ShardId, ShardIterator);
    }
    for (;;) {
      const ShardIterator = iterators.get(ShardId);
      if (!ShardIterator) break;
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator }),
      );
      records.push(...Records.map((record) => toStreamRecord(record, StreamArn, clock.now())));
      iterators.set(ShardId, NextShardIterator);
      if (Records.length === 0) break;
    }
  }
  return records;
}

const Mapping = v.object({
  Type: v.literal('AWS::Lambda::EventSourceMapping'),
  Properties: v.object({
    FilterCriteria: v.object({ Filters: v.array(v.object({ Pattern: v.string() })) }),
  }),
});
const Template = v.object({ Resources: v.record(v.string(), v.unknown()) });

export const getLiveWorkerFilter = () => createStreamFilter('LiveMapping');

export const getPurgeWorkerFilter = () => createStreamFilter('PurgeMapping');

async function createStreamFilter(name: string): Promise<(record: StreamRecord) => boolean> {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  const { Resources } = v.parse(Template, template);
  const [, mapping] = Object.entries(Resources).find(([id]) => id.startsWith(name)) ?? [];
  const { Properties } = v.parse(Mapping, mapping);
  const patterns = Properties.FilterCriteria.Filters.map(({ Pattern }) =>
    parseEventPattern(Pattern),
  );
  return (record) => patterns.some((matches) => matches(record));
}

const Reply = v.object({ batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })) });

/** Passes records to the live worker in batches, like Lambda. Returns the ids of failed records. */
export async function runLiveWorker(records: readonly StreamRecord[]): Promise<string[]> {
  const failed: string[] = [];
  for (let at = 0; at < records.length; at += batchSize) {
    const event = { Records: records.slice(at, at + batchSize) };
    const context = { getRemainingTimeInMillis: () => 30_000 };
    const { batchItemFailures } = v.parse(
      Reply,
      await handler(event as DynamoDBStreamEvent, context as Context),
    );
    failed.push(...batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  }
  return failed;
}

/**
 * Passes all new changes to the live worker. `at` (Unix seconds) replaces the timestamp of each
 * change. Throws if the worker fails.
 */
export async function publishAll(at?: number): Promise<void> {
  const records = (await readNewRecords()).filter(await getLiveWorkerFilter()).map((record) => ({
    ...record,
    dynamodb: {
      ...record.dynamodb,
      ApproximateCreationDateTime: at ?? record.dynamodb.ApproximateCreationDateTime,
    },
  }));
  const failed = await runLiveWorker(records);
  if (failed.length > 0) throw new Error(`The live worker failed for ${failed.length} records.`);
}
