import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../../shared/table/calls/access.ts';
import { tableKey } from '../../../shared/table/keys/names.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import type { Filter } from './person-filter.ts';
import type { RateLimiter } from './rate-limiter.ts';

const StartKey = v.optional(v.record(v.string(), v.string()));

/**
 * A part of the table, and the key after which to continue. If the key is missing, reading starts
 * at the beginning. Serializable as JSON.
 */
export const TableRange = v.variant('kind', [
  v.object({ kind: v.literal('segment'), segment: v.number(), of: v.number(), next: StartKey }),
  v.object({ kind: v.literal('partition'), pk: v.string(), next: StartKey }),
]);
export type TableRange = v.InferOutput<typeof TableRange>;

/** Maximum number of ranges read in parallel, and the number of segments in a scan. */
const maxConcurrent = 4;

export const wholeTable: readonly TableRange[] = Array.from(
  { length: maxConcurrent },
  (_, segment) => ({
    kind: 'segment',
    segment,
    of: maxConcurrent,
  }),
);

export const toPartitionRange = (pk: string): TableRange => ({ kind: 'partition', pk });

export interface RangesToRead {
  table: StageTable;
  ranges: readonly TableRange[];
  /** Filter for scan segments. Partitions are read without a filter. */
  filter: Filter;
  limitRate: RateLimiter;
  /** Maximum number of items read per page, before filtering. */
  pageSize?: number | undefined;
  /**
   * Receives each page and the ranges that remain. Calls do not overlap. The next page of a range
   * is read after the returned promise resolves.
   */
  onPage(items: Item[], remaining: readonly TableRange[]): Promise<void>;
}

/**
 * Reads all ranges to the end, with strong consistency. If a read or `onPage` fails, throws after
 * all concurrent calls have finished.
 */
export async function readRanges({
  table,
  ranges,
  filter,
  limitRate,
  pageSize,
  onPage,
}: RangesToRead): Promise<void> {
  const remaining = new Map(ranges.entries());
  const queue = [...remaining];
  let lastPage: Promise<void> = Promise.resolve();
  let failed = false;

  const readRange = async (n: number, start: TableRange) => {
    for (let range: TableRange | undefined = start; range && !failed; ) {
      const { items, next, units } = await readPage(table, range, filter, pageSize);
      const remainder: TableRange | undefined = next && { ...range, next };
      lastPage = lastPage.then(async () => {
        if (failed) return;
        if (remainder) remaining.set(n, remainder);
        else remaining.delete(n);
        await onPage(items, [...remaining.values()]);
      });
      await lastPage;
      await limitRate(units);
      range = remainder;
    }
  };
  const readNext = async () => {
    try {
      for (let entry = queue.shift(); entry && !failed; entry = queue.shift())
        await readRange(...entry);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: maxConcurrent }, readNext));
  for (const entry of results) if (entry.status === 'rejected') throw entry.reason;
}

async function readPage(
  { client, name: TableName }: StageTable,
  range: TableRange,
  { expression, values }: Filter,
  Limit: number | undefined,
) {
  const common = {
    TableName,
    Limit,
    ExclusiveStartKey: range.next,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL' as const,
  };
  const command =
    range.kind === 'segment'
      ? new ScanCommand({
          ...common,
          Segment: range.segment,
          TotalSegments: range.of,
          FilterExpression: expression,
          ExpressionAttributeValues: values,
        })
      : new QueryCommand({
          ...common,
          KeyConditionExpression: `${tableKey.partition} = :pk`,
          ExpressionAttributeValues: { ':pk': range.pk },
        });
  // `send` has no overload for both command types.
  const {
    Items = [],
    LastEvaluatedKey,
    ConsumedCapacity,
  } = command instanceof ScanCommand ? await client.send(command) : await client.send(command);
  return {
    items: Items,
    next: v.parse(StartKey, LastEvaluatedKey),
    units: ConsumedCapacity?.CapacityUnits ?? 0,
  };
}
