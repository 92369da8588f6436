import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RunningStage, ServiceConfig } from './running-stage.ts';

export interface StageTable {
  name: string;
  client: DynamoDBDocumentClient;
}

/**
 * Returns a table whose client retries throttled requests more often than by default, because
 * commands can wait.
 */
export const openTable = (name: string, config: ServiceConfig = {}): StageTable => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 10, ...config })),
});

export const openStageTable = ({ output, dynamodb }: RunningStage): StageTable =>
  openTable(output('TableName'), dynamodb);
