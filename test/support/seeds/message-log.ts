import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../../shared/env.ts';
import { conversationKey, messageKey } from '../../../shared/table/keys/keys.ts';
import { type LogEntry, toLogEntry } from '../../../shared/table/messages/log/message-item.ts';
import { documentClient } from '../table/document-client.ts';
import { queryAll } from '../table/query-all.ts';

const batchSize = 25;

/** Puts entries into a log. The conversation need not exist. */
export async function seedLog(conversationId: string, entries: LogEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += batchSize) {
    const requests = entries.slice(at, at + batchSize).map((entry) => ({
      PutRequest: { Item: { ...messageKey(conversationId, entry.sequence), ...entry } },
    }));
    await documentClient.send(
      new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } }),
    );
  }
}

export async function readStoredLog(conversationId: string): Promise<LogEntry[]> {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :messages)',
    ExpressionAttributeValues: {
      ':pk': conversationKey(conversationId).pk,
      ':messages': 'MESSAGE#',
    },
  });
  return items.map(toLogEntry);
}

export const sequences = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);
