import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { getCost } from '../../cost/prices.ts';
import type { StageTable } from '../../stage/stage-table.ts';

/** Bytes per read unit of a strongly consistent read. */
const bytesPerUnit = 4096;

/** Size of a table, which DynamoDB updates about every six hours. */
export interface TableSize {
  items: number;
  bytes: number;
}

export async function readTableSize({ client, name }: StageTable): Promise<TableSize> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return { items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0 };
}

/** Returns the units, dollars and seconds needed to read the whole table once. */
export function estimateScan({ bytes }: TableSize, unitsPerSecond: number) {
  const units = Math.ceil(bytes / bytesPerUnit);
  return {
    units,
    dollars: getCost('readUnits', units, false),
    seconds: Math.ceil(units / unitsPerSecond),
  };
}

export function formatScanCost(size: TableSize, unitsPerSecond: number): string {
  const { units, dollars, seconds } = estimateScan(size, unitsPerSecond);
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `The table has about ${size.items} items: reading all of it takes ${units} read units, $${dollars.toFixed(3)}, and ${time} at ${unitsPerSecond} units per second.`;
}
