import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { extractSecrets, type Secret } from './find-secrets.ts';

/**
 * Returns the texts that no log may contain: the tokens, their profile claims, and all stored
 * message texts and attachment descriptions.
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
