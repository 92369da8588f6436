import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../shared/env.ts';
import { messageId } from '../../shared/ids.ts';
import { client } from '../../shared/table/client.ts';
import { conversationKey, messageKey } from '../../shared/table/keys.ts';
import type { MessageItem } from '../../shared/table/message-items.ts';

const batchSize = 25;

/** Fills a new conversation with read messages of `sentBy`, as sending would have, only quicker. */
export async function seedMessages(
  conversationId: string,
  sentBy: string,
  count: number,
): Promise<void> {
  const start = Date.now() - 120_000;
  const items = Array.from({ length: count }, (_, n): MessageItem => {
    const sequence = n + 1;
    return {
      id: messageId({ conversationId, sequence, sentAt: start + n }),
      conversation_id: conversationId,
      sequence,
      sent_by: sentBy,
      message: `${sequence}: ${'text '.repeat(40)}`,
      read_at: start + n,
      created_at: start + n,
      previous_at: start + n - 1,
    };
  });
  const TableName = env('TABLE_NAME');
  for (let at = 0; at < count; at += batchSize) {
    const requests = items.slice(at, at + batchSize).map((item) => ({
      PutRequest: { Item: { ...messageKey(conversationId, item.sequence), ...item } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  }
  await client.send(
    new UpdateCommand({
      TableName,
      Key: conversationKey(conversationId),
      UpdateExpression: 'SET message_count = :count, last_message_at = :at',
      ExpressionAttributeValues: { ':count': count, ':at': start + count },
    }),
  );
}
