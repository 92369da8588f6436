import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { costOf } from '../cost/prices.ts';
import type { StageTable } from '../stage/table.ts';

/** Bytes that a read unit buys, read strongly. */
const unitBytes = 4096;

/** What DynamoDB says of a table some six hours late. */
export interface TableSize {
  items: number;
  bytes: number;
}

export async function sizeOf({ client, name }: StageTable): Promise<TableSize> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return { items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0 };
}

/**
 * What it takes to read all of a table once: units, dollars, and seconds at so many units a second.
 */
export function costOfWalk({ bytes }: TableSize, unitsPerSecond: number) {
  const units = Math.ceil(bytes / unitBytes);
  return {
    units,
    dollars: costOf('readUnits', units, false),
    seconds: Math.ceil(units / unitsPerSecond),
  };
}

/** The same as a sentence. */
export function costLine(size: TableSize, unitsPerSecond: number): string {
  const { units, dollars, seconds } = costOfWalk(size, unitsPerSecond);
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `The table has some ${size.items} items: to read all of it takes ${units} read units, $${dollars.toFixed(3)}, and ${time} at ${unitsPerSecond} units a second.`;
}
