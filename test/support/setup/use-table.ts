/** Creates the template's table for the importing test file and enforces DynamoDB's limits. */
import {
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from '@jest/globals';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { createTable } from '../../../local-cloud/table/create-table.ts';
import { env } from '../../../shared/env.ts';
import { enforceDynamoDbLimits } from './enforce-dynamodb-limits.ts';

beforeAll(async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  await createTable(new DynamoDBClient(), template);
  if (process.env.TEST_DYNOXIDE) await skipOldRecords();
  enforceDynamoDbLimits(template);
});

/**
 * Skips the records of a deleted table: in Dynoxide, the stream of a new table with the same name
 * begins with them.
 */
async function skipOldRecords(): Promise<void> {
  const { readNewRecords } = await import('../workers/live-worker.ts');
  await readNewRecords();
}

/** Deletes the table, because hundreds of tables keep DynamoDB Local busy even without calls. */
afterAll(async () => {
  const deletion = new DeleteTableCommand({ TableName: env('TABLE_NAME') });
  await new DynamoDBClient().send(deletion).catch((error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  });
});
