import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { region } from '../../../local-cloud/account.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';

export type Item = Record<string, unknown>;

/** Reads the whole table at its own address, without the IAM checks of the proxy. */
export async function readTable({ tableEndpoint, tableName }: ServingCloud): Promise<Item[]> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: tableEndpoint,
      region,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  try {
    const items: Item[] = [];
    const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  } finally {
    client.destroy();
  }
}

/** Returns the conversation in whose partition the item is. */
export const conversationIdOf = ({ pk }: Item): string | undefined =>
  /^CONVERSATION#(.*)$/.exec(String(pk))?.[1];
