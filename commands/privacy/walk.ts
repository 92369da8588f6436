import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../shared/table/calls/access.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';
import type { Filter } from './filter.ts';
import type { Pace } from './pace.ts';

const Next = v.optional(v.record(v.string(), v.string()));

/**
 * A part of the table, and where in it to go on; without that, at its beginning. Can be kept as
 * JSON.
 */
export const Leg = v.variant('kind', [
  v.object({ kind: v.literal('segment'), segment: v.number(), of: v.number(), next: Next }),
  v.object({ kind: v.literal('partition'), pk: v.string(), next: Next }),
]);
export type Leg = v.InferOutput<typeof Leg>;

/** As many as are read side by side. */
const atOnce = 4;

/** The whole table, in parts that lie on different partitions of DynamoDB's. */
export const wholeTable: readonly Leg[] = Array.from({ length: atOnce }, (_, segment) => ({
  kind: 'segment',
  segment,
  of: atOnce,
}));

export const partition = (pk: string): Leg => ({ kind: 'partition', pk });

export interface Walk {
  table: StageTable;
  legs: readonly Leg[];
  /** For parts of the whole table: what is sent of them. */
  filter: Filter;
  /** Of read units. */
  pace: Pace;
  /** How many items a call reads at most. */
  pageSize?: number | undefined;
  /**
   * Is given what was read, one page at a time, and what is left to be read after it. The next page
   * of the same part is not read before this has ended.
   */
  onPage(items: Item[], left: readonly Leg[]): Promise<void>;
}

/**
 * Reads parts of the table to their ends, strongly. Where one of them fails, or `onPage` does,
 * nothing of the walk is under way any more when it throws.
 */
export async function walk({ table, legs, filter, pace, pageSize, onPage }: Walk): Promise<void> {
  const left = new Map(legs.entries());
  const waiting = [...left];
  let turn: Promise<void> = Promise.resolve();
  let failed = false;

  const walkLeg = async (n: number, first: Leg) => {
    for (let leg: Leg | undefined = first; leg && !failed; ) {
      const { items, next, units } = await readPage(table, leg, filter, pageSize);
      const rest: Leg | undefined = next && { ...leg, next };
      turn = turn.then(async () => {
        if (failed) return;
        if (rest) left.set(n, rest);
        else left.delete(n);
        await onPage(items, [...left.values()]);
      });
      await turn;
      await pace(units);
      leg = rest;
    }
  };
  const walkOn = async () => {
    try {
      for (let one = waiting.shift(); one && !failed; one = waiting.shift()) await walkLeg(...one);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, walkOn));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function readPage(
  { client, name: TableName }: StageTable,
  leg: Leg,
  { expression, values }: Filter,
  Limit: number | undefined,
) {
  const common = {
    TableName,
    Limit,
    ExclusiveStartKey: leg.next,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL' as const,
  };
  const command =
    leg.kind === 'segment'
      ? new ScanCommand({
          ...common,
          Segment: leg.segment,
          TotalSegments: leg.of,
          FilterExpression: expression,
          ExpressionAttributeValues: values,
        })
      : new QueryCommand({
          ...common,
          KeyConditionExpression: `${tableKey.partition} = :pk`,
          ExpressionAttributeValues: { ':pk': leg.pk },
        });
  // The two commands are of different types, which only the client knows to tell apart.
  const {
    Items = [],
    LastEvaluatedKey,
    ConsumedCapacity,
  } = command instanceof ScanCommand ? await client.send(command) : await client.send(command);
  return {
    items: Items,
    next: v.parse(Next, LastEvaluatedKey),
    units: ConsumedCapacity?.CapacityUnits ?? 0,
  };
}
