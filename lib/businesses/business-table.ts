import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ServiceConfig } from '../running/stage.ts';

/** Where businesses are kept. */
export interface BusinessTable {
  client: DynamoDBDocumentClient;
  name: string;
}

/** Throttling is no reason to give up: an import has time. */
export const businessTable = (name: string, config: ServiceConfig): BusinessTable => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 10, ...config })),
});
