import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../shared/table/calls/access.ts';
import {
  isDeleted,
  toTombstoneItem,
} from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { parseMembership } from '../../shared/table/groups/membership.ts';
import { groupKey } from '../../shared/table/keys/group-keys.ts';
import { conversationKey, type Key } from '../../shared/table/keys/keys.ts';
import {
  conversationSort,
  deletionAttribute,
  groupSort,
  tableKey,
} from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/batch-items.ts';
import type { StageTable } from '../stage/stage-table.ts';
import { readDeletableItems } from './live-items.ts';
import type { RecoveryTools } from './recovery-tools.ts';
import { putGroupTombstone, repeatRemovals } from './repeat-group-changes.ts';

const Conversation = v.object({ id: v.string(), distinct_pair: v.optional(v.string()) });
const Group = v.object({ id: v.string() });
const KeyedItem = v.object({ pk: v.string() });

export interface RepeatDeletionsOptions {
  /** The source table, with the writes made since the restore point. */
  old: string;
  restored: string;
}

export interface RepeatedDeletions {
  conversations: number;
  groups: number;
  memberships: number;
  /**
   * Ids of groups whose last member left or was removed, but is retained because a group must have
   * a member.
   */
  retainedIn: string[];
}

/**
 * Deletes the restored table's conversations and user groups that are missing or deleted in the
 * old table. If a group still exists in the old table, removes the memberships that have ended
 * there. Idempotent. Requires that `setTableEnvironment` has selected the restored table.
 */
export async function repeatDeletions(
  { table, now, print }: Pick<RecoveryTools, 'table' | 'now' | 'print'>,
  options: RepeatDeletionsOptions,
): Promise<RepeatedDeletions> {
  const [old, restored] = [table(options.old), table(options.restored)];
  const repeated: RepeatedDeletions = {
    conversations: 0,
    groups: 0,
    memberships: 0,
    retainedIn: [],
  };
  let checked = 0;
  for await (const items of readDeletableItems(restored)) {
    const { conversations, groups, memberships } = parsePage(items);
    const deleted = await selectDeleted(old, conversations, conversationKey);
    for (const one of deleted) await putTombstone(restored, one, now());
    repeated.conversations += deleted.length;
    const deletedGroups = await selectDeleted(old, groups, groupKey);
    for (const { id } of deletedGroups) await putGroupTombstone(restored, id);
    repeated.groups += deletedGroups.length;
    const { removed, retainedIn } = await repeatRemovals(old, memberships);
    repeated.memberships += removed;
    repeated.retainedIn.push(...retainedIn);
    checked += conversations.length;
    if (conversations.length > 0)
      print(`  ${checked} conversations checked, ${repeated.conversations} deleted again`);
  }
  return repeated;
}

function parsePage(items: readonly Item[]) {
  const getBySort = (sort: string) => items.filter(({ sk }) => sk === sort);
  const others = items.filter(({ sk }) => sk !== conversationSort && sk !== groupSort);
  return {
    conversations: v.parse(v.array(Conversation), getBySort(conversationSort)),
    groups: v.parse(v.array(Group), getBySort(groupSort)),
    memberships: others.flatMap((item) => parseMembership(item) ?? []),
  };
}

/** Returns the resources that do not exist in the table or are tombstones. */
async function selectDeleted<Resource extends { id: string }>(
  table: StageTable,
  resources: readonly Resource[],
  toKey: (id: string) => Key,
): Promise<Resource[]> {
  const found = await getItems(
    table,
    resources.map(({ id }) => toKey(id)),
  );
  const live = v.parse(
    v.array(KeyedItem),
    found.filter((item) => !isDeleted(item)),
  );
  const partitions = new Set(live.map(({ pk }) => pk));
  return resources.filter(({ id }) => !partitions.has(toKey(id).pk));
}

/**
 * Replaces a conversation with the tombstone that a deletion leaves. After the stage switches to
 * the table, the purge worker removes the conversation's other items.
 */
async function putTombstone(
  { client, name }: StageTable,
  { id, distinct_pair }: v.InferOutput<typeof Conversation>,
  deleted_at: number,
): Promise<void> {
  const command = new PutCommand({
    TableName: name,
    Item: toTombstoneItem(id, {
      deleted_at,
      deletion: randomUUID(),
      ...(distinct_pair !== undefined && { distinct_pair }),
    }),
    ConditionExpression: `attribute_exists(${tableKey.partition}) AND attribute_not_exists(${deletionAttribute})`,
  });
  try {
    await client.send(command);
  } catch (error) {
    // If the condition fails, a concurrent run has already deleted the conversation.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
