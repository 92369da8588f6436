import { isDeepStrictEqual } from 'node:util';
import type { TableDescription } from '@aws-sdk/client-dynamodb';

/**
 * Returns the differences between the keys and indexes of a restored table and its source, one
 * sentence each.
 */
export function faultsOfStructure(source: TableDescription, restored: TableDescription): string[] {
  const faults: string[] = [];
  if (!isDeepStrictEqual(restored.KeySchema, source.KeySchema)) {
    faults.push('Its key differs from that of the source table.');
  }
  const found = new Map(indexesOf(restored));
  for (const [name, index] of indexesOf(source)) {
    if (!found.has(name)) faults.push(`The index ${name} is missing.`);
    else if (!isDeepStrictEqual(found.get(name), index)) faults.push(`The index ${name} differs.`);
  }
  if (!restored.LatestStreamArn) faults.push('It has no stream.');
  return faults;
}

const indexesOf = ({ GlobalSecondaryIndexes = [] }: TableDescription) =>
  GlobalSecondaryIndexes.map(
    ({ IndexName = '', KeySchema, Projection }) => [IndexName, { KeySchema, Projection }] as const,
  );
