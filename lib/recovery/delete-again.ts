import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { conversationSort, deletionAttribute, tableKey } from '../../shared/table/keys/names.ts';
import type { World } from './world.ts';

const batchSize = 100;

const Conversation = v.object({
  id: v.string(),
  created_by: v.string(),
  group_id: v.optional(v.string()),
});
/** What it takes to delete a conversation as its creator. */
export type Conversation = v.InferOutput<typeof Conversation>;

const Known = v.object({ pk: v.string() });
type Item = Record<string, AttributeValue>;

export interface DeleteAgainOptions {
  /** The table that was restored from, in which people have gone on. */
  old: string;
  restored: string;
  /** Deletes it in the restored table. */
  remove(conversation: Conversation): Promise<void>;
}

/**
 * Deletes in the restored table the conversations that have been deleted in the old one since: those it has no more, or as
 * a tombstone. Gives how many. Doing it again changes nothing.
 */
export async function deleteAgain(
  { client, print }: World,
  { old, restored, remove }: DeleteAgainOptions,
): Promise<number> {
  let deleted = 0;
  let looked = 0;
  for await (const conversations of liveConversations(client, restored)) {
    const live = await liveIn(client, old, conversations);
    for (const conversation of conversations) {
      if (live.has(conversationKey(conversation.id).pk)) continue;
      await remove(conversation);
      deleted += 1;
    }
    looked += conversations.length;
    if (conversations.length > 0) {
      print(`  ${looked} conversations were looked at, ${deleted} deleted again`);
    }
  }
  return deleted;
}

/** All conversations that are not deleted, in portions. */
async function* liveConversations(client: DynamoDBClient, TableName: string) {
  let from: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: `${tableKey.sort} = :conversation AND attribute_not_exists(${deletionAttribute})`,
        ExpressionAttributeValues: { ':conversation': { S: conversationSort } },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    const found = Items.map((item) => v.parse(Conversation, unmarshall(item)));
    for (let at = 0; at < found.length; at += batchSize) yield found.slice(at, at + batchSize);
    from = LastEvaluatedKey;
  } while (from);
}

/** The partitions of those that the table has, and not as tombstones. */
async function liveIn(
  client: DynamoDBClient,
  table: string,
  conversations: Conversation[],
): Promise<Set<string>> {
  const live = new Set<string>();
  let keys: Item[] = conversations.map(({ id }) => marshall(conversationKey(id)));
  while (keys.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
    );
    for (const item of Responses?.[table] ?? []) {
      if (!(deletionAttribute in item)) live.add(v.parse(Known, unmarshall(item)).pk);
    }
    keys = UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return live;
}
