import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ContactWithGroups } from '../../../shared/table/conversations/items/participants.ts';
import { membershipKey } from '../../../shared/table/keys/group-keys.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { erasureAttribute, tableKey } from '../../../shared/table/keys/names.ts';
import { getItems } from '../../stage/batch-items.ts';
import type { StageTable } from '../../stage/stage-table.ts';

const KnownContact = v.object({
  groups: v.optional(v.array(v.string()), []),
  [erasureAttribute]: v.optional(v.number()),
});

export interface Person extends ContactWithGroups {
  /** Time of the erasure in Unix milliseconds, if the person was erased. */
  erasedAt: number | undefined;
}

/**
 * Returns the person with the given groups, the groups of their most recent token and all their
 * user groups.
 */
export async function readPerson(
  table: StageTable,
  id: string,
  groups: readonly string[] = [],
): Promise<Person> {
  const [item] = await getItems(table, [contactKey(id)]);
  const { groups: stored, erased_at: erasedAt } = v.parse(KnownContact, item ?? {});
  const userGroups = await readUserGroups(table, id);
  return { id, groups: [...new Set([...groups, ...stored, ...userGroups])], erasedAt };
}

const GroupIds = v.array(v.object({ group_id: v.string() }));

/**
 * Returns the ids of the person's user groups. One query suffices, because 300 memberships, the
 * maximum, take less than 1 MB.
 */
async function readUserGroups({ client, name }: StageTable, id: string): Promise<string[]> {
  const { pk, sk } = membershipKey(id);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: name,
      KeyConditionExpression: `${tableKey.partition} = :pk AND begins_with(${tableKey.sort}, :memberships)`,
      ExpressionAttributeValues: { ':pk': pk, ':memberships': sk },
      ConsistentRead: true,
    }),
  );
  return v.parse(GroupIds, Items).map(({ group_id }) => group_id);
}
