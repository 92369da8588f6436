import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { region } from '../local/account.ts';
import { Problem } from '../local/problem.ts';
import { runningCloud } from '../local/running.ts';

/** Where businesses are kept. */
export interface BusinessTable {
  client: DynamoDBDocumentClient;
  name: string;
}

/** The table of a local cloud. */
export const localTable = (endpoint: string, name: string): BusinessTable =>
  tableNamed(name, {
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** The table of the local cloud that is running on the directory. */
export async function runningTable(directory: string): Promise<BusinessTable> {
  const running = await runningCloud(directory);
  if (running) return localTable(running.endpoint, running.tableName);
  throw new Problem(
    `No local cloud is running on ${directory}: \`npm start\` starts one. For a deployed stage give --stage NAME.`,
  );
}

/** Throttling is no reason to give up: an import has time. */
export const tableNamed = (name: string, config: DynamoDBClientConfig = {}): BusinessTable => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 10, ...config })),
});
