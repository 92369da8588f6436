import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RunningStage, ServiceConfig } from './stage.ts';

/** The table of a stage, as commands use it. */
export interface StageTable {
  name: string;
  client: DynamoDBDocumentClient;
}

/** Throttling is no reason to give up: commands have time. */
export const openTable = (name: string, config: ServiceConfig = {}): StageTable => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 10, ...config })),
});

/** That which serves. */
export const tableOf = ({ output, dynamodb }: RunningStage): StageTable =>
  openTable(output('TableName'), dynamodb);
