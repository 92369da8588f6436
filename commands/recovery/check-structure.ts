import { isDeepStrictEqual } from 'node:util';
import type { TableDescription } from '@aws-sdk/client-dynamodb';

/**
 * Returns the faults of a restored table, one sentence each: keys and indexes that differ from the
 * source, and a missing stream.
 */
export function compareStructure(source: TableDescription, restored: TableDescription): string[] {
  const faults: string[] = [];
  if (!isDeepStrictEqual(restored.KeySchema, source.KeySchema)) {
    faults.push('Its key differs from the key of the source table.');
  }
  const restoredIndexes = new Map(toIndexEntries(restored));
  for (const [name, index] of toIndexEntries(source)) {
    if (!restoredIndexes.has(name)) faults.push(`The index ${name} is missing.`);
    else if (!isDeepStrictEqual(restoredIndexes.get(name), index))
      faults.push(`The index ${name} differs from the index of the source table.`);
  }
  if (!restored.LatestStreamArn) faults.push('It has no stream.');
  return faults;
}

const toIndexEntries = ({ GlobalSecondaryIndexes = [] }: TableDescription) =>
  GlobalSecondaryIndexes.map(
    ({ IndexName = '', KeySchema, Projection }) => [IndexName, { KeySchema, Projection }] as const,
  );
