import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../../shared/env.ts';
import { documentClient } from './document-client.ts';

const batchSize = 25;

export async function emptyTable(): Promise<void> {
  const TableName = env('TABLE_NAME');
  const keys: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documentClient.send(
      new ScanCommand({ TableName, ProjectionExpression: 'pk, sk', ExclusiveStartKey: start }),
    );
    keys.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  for (let at = 0; at < keys.length; at += batchSize) {
    const requests = keys.slice(at, at + batchSize).map((Key) => ({ DeleteRequest: { Key } }));
    await documentClient.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  }
}
