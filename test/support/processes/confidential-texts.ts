import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { extractSecrets, type Secret } from './find-secrets.ts';

/**
 * Returns the texts that only their owners may read: the tokens with their claims, and all stored
 * messages and attachments.
 */
export async function getConfidentialTexts(
  { tableEndpoint, tableName }: Cloud,
  tokens: readonly string[],
): Promise<Secret[]> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const secrets = tokens.flatMap((token) =>
    extractSecrets({ headers: { Authorization: `Bearer ${token}` } }),
  );
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName })) {
    for (const { message, attachments } of Items) {
      secrets.push(...extractSecrets({ headers: {}, body: JSON.stringify({ message }) }));
      if (attachments) secrets.push(...extractSecrets({ headers: {}, body: String(attachments) }));
    }
  }
  client.destroy();
  return secrets;
}
