import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';

export type Item = Record<string, unknown>;

/** Returns a client that calls DynamoDB Local directly, without the proxy's IAM checks. */
export const openDocumentClient = ({ tableEndpoint }: ServingCloud): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(toLocalServiceConfig(tableEndpoint)));

export async function readTable(cloud: ServingCloud): Promise<Item[]> {
  const client = openDocumentClient(cloud);
  const TableName = cloud.tableName;
  try {
    const items: Item[] = [];
    const pages = paginateScan({ client }, { TableName, ConsistentRead: true });
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  } finally {
    client.destroy();
  }
}

export const conversationIdOf = ({ pk }: Item): string | undefined =>
  /^CONVERSATION#(.*)$/.exec(String(pk))?.[1];
