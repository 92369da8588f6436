import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../shared/table/calls/access.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';
import type { Filter } from './filter.ts';
import type { Pace } from './pace.ts';

const Next = v.optional(v.record(v.string(), v.string()));

/**
 * A part of the table, and the position to continue from; without it, the beginning. Serializable
 * as JSON.
 */
export const Leg = v.variant('kind', [
  v.object({ kind: v.literal('segment'), segment: v.number(), of: v.number(), next: Next }),
  v.object({ kind: v.literal('partition'), pk: v.string(), next: Next }),
]);
export type Leg = v.InferOutput<typeof Leg>;

/** The number of parts read in parallel. */
const atOnce = 4;

/** Returns the whole table as parallel scan segments. */
export const wholeTable: readonly Leg[] = Array.from({ length: atOnce }, (_, segment) => ({
  kind: 'segment',
  segment,
  of: atOnce,
}));

export const partition = (pk: string): Leg => ({ kind: 'partition', pk });

export interface Walk {
  table: StageTable;
  legs: readonly Leg[];
  /** The filter for the segments of a scan. */
  filter: Filter;
  /** Limits the consumed read units. */
  pace: Pace;
  /** Maximum number of items per call. */
  pageSize?: number | undefined;
  /**
   * Receives each page and the parts still to be read, one page at a time. The next page of the
   * same part is read after this resolves.
   */
  onPage(items: Item[], left: readonly Leg[]): Promise<void>;
}

/**
 * Reads parts of the table to their ends, strongly consistent. If a read or `onPage` fails, throws
 * after all concurrent calls have ended.
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
  // The two commands have different types, which only the client distinguishes.
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
