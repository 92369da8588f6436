import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ServiceConfig } from '../stage/running-stage.ts';
import { openTable, type StageTable } from '../stage/stage-table.ts';

export interface RecoveryTools {
  /** The client for operations on whole tables, such as restores. */
  client: DynamoDBClient;
  table(name: string): StageTable;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  print(line: string): void;
}

export const createRecoveryTools = (dynamodb: ServiceConfig): RecoveryTools => ({
  client: new DynamoDBClient(dynamodb),
  table: (name) => openTable(name, dynamodb),
  now: Date.now,
  sleep: (milliseconds) => sleep(milliseconds),
  print: console.log,
});
