import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isUserGroup } from '../../../shared/ids.ts';
import type { ContactWithGroups } from '../../../shared/table/conversations/items/participants.ts';
import { groupKey } from '../../../shared/table/keys/group-keys.ts';
import {
  allFlagSets,
  chunkKey,
  contactInboxPartition,
  contactKey,
  flaggedPartition,
  groupInboxPartition,
  toDistinctKey,
} from '../../../shared/table/keys/keys.ts';
import { type IndexName, indexes } from '../../../shared/table/keys/names.ts';
import { webhookEndpointKey } from '../../../shared/table/keys/webhook-keys.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import { type TableRange, toPartitionRange, wholeTable } from './read-ranges.ts';

export interface SearchOptions {
  /** Whether to search only the partitions found through the person's indexes and groups. */
  narrow: boolean;
}

/**
 * Returns the parts of the table to search. Past group memberships are not stored, so finding all
 * items in group conversations requires a scan of the whole table. The narrow search finds
 * conversations through the person's flags, the person's inbox, and the inboxes of their groups.
 */
export async function getSearchRanges(
  table: StageTable,
  person: ContactWithGroups,
  { narrow }: SearchOptions,
): Promise<readonly TableRange[]> {
  if (!narrow) return wholeTable;
  const ownPartitions = [
    contactKey(person.id).pk,
    chunkKey({ kind: 'contact', id: person.id }, 1).pk,
    webhookEndpointKey('').pk,
    ...person.groups.filter(isUserGroup).map((group) => groupKey(group).pk),
  ];
  const sources: [IndexName, string][] = [
    ['gsi1', contactInboxPartition(person.id)],
    ['gsi2', contactInboxPartition(person.id)],
    ...person.groups.map((group): [IndexName, string] => ['gsi1', groupInboxPartition(group)]),
    ...allFlagSets.map((flags): [IndexName, string] => [
      'gsi3',
      flaggedPartition(person.id, flags),
    ]),
  ];
  const found = new Set<string>();
  for (const [index, value] of sources) {
    for await (const { pk, distinct_pair: pair } of readIndex(table, index, value)) {
      found.add(pk);
      if (pair !== undefined) found.add(toDistinctKey(pair).pk);
    }
  }
  return [...ownPartitions, ...[...found].sort()].map(toPartitionRange);
}

const Entry = v.object({ pk: v.string(), distinct_pair: v.optional(v.string()) });

async function* readIndex({ client, name }: StageTable, index: IndexName, value: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      IndexName: index,
      KeyConditionExpression: `${indexes[index].partition} = :partition`,
      ExpressionAttributeValues: { ':partition': value },
    },
  );
  for await (const { Items = [] } of pages) yield* v.parse(v.array(Entry), Items);
}
