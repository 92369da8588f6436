import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  QueryCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { env } from '../../../shared/env.ts';
import { conversationCreatedAt, newConversationId } from '../../../shared/ids.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';

type Item = Record<string, AttributeValue>;

const batchSize = 25;

/**
 * Copies a conversation's items to a new conversation, which is faster than seeding it again.
 * Replaces the conversation's id and each id that is a key of `renamed`. Returns the new id.
 */
export async function copyConversation(
  conversationId: string,
  renamed: ReadonlyMap<string, string>,
): Promise<string> {
  const client = new DynamoDBClient();
  const id = newConversationId(conversationCreatedAt(conversationId));
  const names = [...renamed, [conversationId, id] as const];
  const TableName = env('TABLE_NAME');
  let start: Item | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: conversationKey(conversationId).pk } },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    const renamed = names.reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      JSON.stringify(page.Items ?? []),
    );
    const items: Item[] = JSON.parse(renamed);
    for (let at = 0; at < items.length; at += batchSize) {
      const requests = items
        .slice(at, at + batchSize)
        .map((Item): WriteRequest => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    }
    start = page.LastEvaluatedKey;
  } while (start);
  client.destroy();
  return id;
}
