import { isDeepStrictEqual } from 'node:util';
import type { TableDescription } from '@aws-sdk/client-dynamodb';

/** What is wrong with a restored table's keys and indexes, a sentence each; none if it is like its source. */
export function faultsOfStructure(source: TableDescription, restored: TableDescription): string[] {
  const faults: string[] = [];
  if (!isDeepStrictEqual(restored.KeySchema, source.KeySchema)) {
    faults.push('Its key is not that of the table it is made from.');
  }
  const found = new Map(indexesOf(restored));
  for (const [name, index] of indexesOf(source)) {
    if (!found.has(name)) faults.push(`It has no index ${name}.`);
    else if (!isDeepStrictEqual(found.get(name), index)) faults.push(`Its index ${name} differs.`);
  }
  if (!restored.LatestStreamArn) faults.push('It has no stream.');
  return faults;
}

const indexesOf = ({ GlobalSecondaryIndexes = [] }: TableDescription) =>
  GlobalSecondaryIndexes.map(
    ({ IndexName = '', KeySchema, Projection }) => [IndexName, { KeySchema, Projection }] as const,
  );
