import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  isDeleted,
  toTombstoneItem,
} from '../../shared/table/conversations/items/conversation-tombstone.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/batch-items.ts';
import type { StageTable } from '../stage/stage-table.ts';
import { readLiveConversations } from './live-conversations.ts';
import type { RecoveryTools } from './recovery-tools.ts';

const Conversation = v.object({ id: v.string(), distinct_pair: v.optional(v.string()) });
const KeyedItem = v.object({ pk: v.string() });

export interface RepeatDeletionsOptions {
  /** The source of the restore, which has received further writes. */
  old: string;
  restored: string;
}

/**
 * Deletes from the restored table the conversations that were deleted from the old table since:
 * those that are missing there or are tombstones. Returns their number. Idempotent.
 */
export async function repeatDeletions(
  { table, now, print }: Pick<RecoveryTools, 'table' | 'now' | 'print'>,
  options: RepeatDeletionsOptions,
): Promise<number> {
  const [old, restored] = [table(options.old), table(options.restored)];
  let deleted = 0;
  let checked = 0;
  for await (const items of readLiveConversations(restored)) {
    const conversations = v.parse(v.array(Conversation), items);
    const livePartitions = await readLivePartitions(
      old,
      conversations.map(({ id }) => id),
    );
    for (const conversation of conversations) {
      if (livePartitions.has(conversationKey(conversation.id).pk)) continue;
      await putTombstone(restored, conversation, now());
      deleted += 1;
    }
    checked += conversations.length;
    if (conversations.length > 0)
      print(`  ${checked} conversations checked, ${deleted} deleted again`);
  }
  return deleted;
}

/** Returns the partitions of those that exist in the table and are not tombstones. */
async function readLivePartitions(table: StageTable, ids: readonly string[]): Promise<Set<string>> {
  const found = await getItems(table, ids.map(conversationKey));
  return new Set(
    v
      .parse(
        v.array(KeyedItem),
        found.filter((item) => !isDeleted(item)),
      )
      .map(({ pk }) => pk),
  );
}

/**
 * Replaces a conversation by the tombstone that its deletion leaves. The purge worker removes the
 * rest once the table is active.
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
    // A concurrent run has deleted it.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
