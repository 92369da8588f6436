/** Creates the template's table for the importing test file, with DynamoDB's limits. */
import {
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { beforeAll } from '@jest/globals';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { createTable } from '../../../local-cloud/table/create-table.ts';
import { env } from '../../../shared/env.ts';
import { enforceDynamoDbLimits } from './enforce-dynamodb-limits.ts';

beforeAll(async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  const client = new DynamoDBClient();
  if (process.env.TEST_DYNOXIDE) await deleteTable(client);
  await createTable(client, template);
  enforceDynamoDbLimits(template);
});

/** Deletes the table of the worker's previous test file. */
const deleteTable = (client: DynamoDBClient) =>
  client.send(new DeleteTableCommand({ TableName: env('TABLE_NAME') })).catch((error) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  });
