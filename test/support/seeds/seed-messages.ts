import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { conversationKey, messageKey, toActivitySortKey } from '../../../shared/table/keys/keys.ts';
import { storeContent } from '../../../shared/table/messages/log/content-item.ts';
import type { MessageWithContent } from '../../../shared/table/messages/log/message-item.ts';
import { documentClient } from '../table/document-client.ts';

/** Maximum number of items in a DynamoDB batch. Even 25 of the largest messages fit in 16 MB. */
const batchSize = 25;

/**
 * Stores messages directly in the table, as the API would. `timeOf` returns a sequence
 * number's timestamp in Unix milliseconds, or undefined for a gap. By default, there is one message
 * per millisecond, starting two minutes ago.
 */
export async function seedMessages(
  conversationId: string,
  sentBy: string,
  count: number,
  timeOf: (sequence: number) => number | undefined = everyMillisecond(),
  text = 'text '.repeat(40),
  { isRead = true } = {},
): Promise<void> {
  let previous_at = 0;
  const items = Array.from({ length: count }, (_, n) => n + 1).flatMap(
    (sequence): MessageWithContent[] => {
      const created_at = timeOf(sequence);
      if (created_at === undefined) return [];
      const item = {
        id: toMessageId({ conversationId, sequence, sentAt: created_at }),
        conversation_id: conversationId,
        sequence,
        sent_by: sentBy,
        message: `${sequence}: ${text}`,
        reactions: {},
        reaction_count: 0,
        version: 1,
        ...(isRead && { read_at: created_at }),
        created_at,
        previous_at,
      };
      previous_at = created_at;
      return [item];
    },
  );
  const TableName = env('TABLE_NAME');
  for (let at = 0; at < items.length; at += batchSize) {
    const requests = await Promise.all(
      items.slice(at, at + batchSize).map(async ({ message, ...item }) => {
        const stored = await storeContent(item, { message });
        const key = messageKey(conversationId, item.sequence);
        return { PutRequest: { Item: { ...key, ...item, ...stored } } };
      }),
    );
    await documentClient.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  }
  await documentClient.send(
    new UpdateCommand({
      TableName,
      Key: conversationKey(conversationId),
      UpdateExpression:
        'SET created_at = :created, message_count = :count, last_message_at = :at, activity = :activity',
      ExpressionAttributeValues: {
        ':created': items[0]?.created_at ?? 0,
        ':count': count,
        ':at': previous_at,
        ':activity': toActivitySortKey(previous_at, conversationId),
      },
    }),
  );
}

const everyMillisecond = () => {
  const start = clock.now() - 120_000;
  return (sequence: number) => start + sequence - 1;
};
