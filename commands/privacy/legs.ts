import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ContactWithGroups } from '../../shared/table/conversations/items/participants.ts';
import {
  allFlagSets,
  chunkKey,
  contactInbox,
  contactKey,
  flaggedPartition,
  groupInbox,
  toDistinctKey,
} from '../../shared/table/keys/keys.ts';
import { type IndexName, indexes } from '../../shared/table/keys/names.ts';
import type { StageTable } from '../stage/table.ts';
import { type Leg, partition, wholeTable } from './walk.ts';

/** Where somebody's things are looked for. */
export interface Where {
  /** Not in the whole table, but in the conversations of the person's indexes and groups alone. */
  narrow: boolean;
}

/**
 * The parts of the table to be walked. Which groups somebody has been in, nobody knows: so what
 * they have left in the conversations of groups is found by the whole table. The narrow way is by
 * the indexes: their own conversations, those that name them, those that they have flagged, and
 * those of the groups.
 */
export async function legsOf(
  table: StageTable,
  who: ContactWithGroups,
  { narrow }: Where,
): Promise<readonly Leg[]> {
  if (!narrow) return wholeTable;
  const own = [contactKey(who.id).pk, chunkKey({ kind: 'contact', id: who.id }, 1).pk];
  const sources: [IndexName, string][] = [
    ['gsi1', contactInbox(who.id)],
    ['gsi2', contactInbox(who.id)],
    ...who.groups.map((group): [IndexName, string] => ['gsi1', groupInbox(group)]),
    ...allFlagSets.map((flags): [IndexName, string] => ['gsi3', flaggedPartition(who.id, flags)]),
  ];
  const found = new Set<string>();
  for (const [index, value] of sources) {
    for await (const { pk, distinct_pair: pair } of entriesOf(table, index, value)) {
      found.add(pk);
      if (pair !== undefined) found.add(toDistinctKey(pair).pk);
    }
  }
  return [...own, ...[...found].sort()].map(partition);
}

const Entry = v.object({ pk: v.string(), distinct_pair: v.optional(v.string()) });

async function* entriesOf({ client, name }: StageTable, index: IndexName, value: string) {
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
