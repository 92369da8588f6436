/** Importing it gives the test file a table of its own, made as the synthesized template says. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll } from '@jest/globals';
import { readAssembly } from '../../lib/assembly/synthesis.ts';
import { createTable } from '../../lib/local/table/tables.ts';
import { env } from '../../shared/env.ts';
import './strict-transactions.ts';

beforeAll(async () => {
  const { template } = await readAssembly(env('TEST_ASSEMBLY'));
  await createTable(new DynamoDBClient(), template);
});
