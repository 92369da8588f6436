/**
 * Importing it gives the test file a table of its own, made as the synthesized template says, which refuses what DynamoDB
 * refuses.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll } from '@jest/globals';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { createTable } from '../../../local-cloud/table/create-table.ts';
import { env } from '../../../shared/env.ts';
import { enforceDynamoDbLimits } from './enforce-dynamodb-limits.ts';

beforeAll(async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  await createTable(new DynamoDBClient(), template);
  enforceDynamoDbLimits(template);
});
