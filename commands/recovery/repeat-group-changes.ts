import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getItem } from '../../shared/table/calls/access.ts';
import { eraseMembership } from '../../shared/table/group-changes/erase-membership.ts';
import { parseGroup } from '../../shared/table/groups/group-item.ts';
import { toGroupTombstoneUpdate } from '../../shared/table/groups/group-tombstone.ts';
import { groupExistsCondition } from '../../shared/table/groups/group-writes.ts';
import type { Membership } from '../../shared/table/groups/membership.ts';
import { groupKey, membershipKey } from '../../shared/table/keys/group-keys.ts';
import { deletionAttribute } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/batch-items.ts';
import type { StageTable } from '../stage/stage-table.ts';

const StoredKey = v.object({ pk: v.string(), sk: v.string() });

/**
 * Replaces a group with the tombstone that a deletion leaves. Ignores groups that are already
 * deleted.
 */
export async function putGroupTombstone({ client, name }: StageTable, id: string): Promise<void> {
  const update = toGroupTombstoneUpdate(id, { ConditionExpression: groupExistsCondition });
  try {
    await client.send(new UpdateCommand({ TableName: name, ...update }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/**
 * Removes memberships from the table selected by `setTableEnvironment` if they have ended in the
 * old table. Skips groups that are deleted in the old table. Retains the last member of a group,
 * because a group without members would be deleted. Returns the number of removed memberships and
 * the ids of groups with a retained member.
 */
export async function repeatRemovals(
  old: StageTable,
  memberships: readonly Membership[],
): Promise<{ removed: number; retainedIn: string[] }> {
  const [groups, members] = [memberships.map(toGroupKey), memberships.map(toMembershipKey)];
  const uniqueGroups = [...new Map(groups.map((key) => [key.pk, key])).values()];
  const exists = await lookUpLiveItems(old, [...uniqueGroups, ...members]);
  let removed = 0;
  const retainedIn: string[] = [];
  for (const membership of memberships) {
    const { contact_id, group_id } = membership;
    if (!exists(toGroupKey(membership)) || exists(toMembershipKey(membership))) continue;
    const group = parseGroup(await getItem(groupKey(group_id)));
    if (!group) continue;
    if (group.member_count === 1) {
      retainedIn.push(group_id);
      continue;
    }
    await eraseMembership(contact_id, group_id);
    removed += 1;
  }
  return { removed, retainedIn };
}

const toGroupKey = ({ group_id }: Membership) => groupKey(group_id);
const toMembershipKey = ({ contact_id, group_id }: Membership) =>
  membershipKey(contact_id, group_id);

/**
 * Returns a function that reports whether an item exists and is neither a tombstone nor a
 * membership in a deleted group.
 */
async function lookUpLiveItems(
  table: StageTable,
  keys: Parameters<typeof getItems>[1],
): Promise<(key: { pk: string; sk: string }) => boolean> {
  const found = (await getItems(table, keys)).filter(
    (item) => !(deletionAttribute in item) && !('is_group_deleted' in item),
  );
  const names = new Set(v.parse(v.array(StoredKey), found).map(({ pk, sk }) => `${pk} ${sk}`));
  return ({ pk, sk }) => names.has(`${pk} ${sk}`);
}
