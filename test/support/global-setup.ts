import { join } from 'node:path';
import { synthesize } from '../../lib/assembly/synthesis.ts';
import { readStack } from '../../lib/local/stack/stack.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../lib/local/table/dynamodb-local.ts';
import { tablesOf } from '../../lib/local/table/tables.ts';

let database: DynamoDbLocal | undefined;

/**
 * Once before all tests: synthesizes the app, as `npm start` does, and starts the engine that the tests' tables are on.
 * What the tests need to know of it is in the environment, which jest's workers inherit.
 */
export default async function setUp(): Promise<void> {
  // Commands, function hosts and the CDK app are started hundreds of times: each file is to be compiled once.
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../../.local/test/compiled');
  const { template, directory } = await synthesize(
    'dev',
    join(import.meta.dirname, '../../.local/test/synthesis'),
  );
  const [table] = tablesOf(readStack('local', template));
  database = await startDynamoDbLocal({ shared: false });
  Object.assign(process.env, {
    TEST_ASSEMBLY: directory,
    TABLE_NAME: table?.ref,
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
  });
}

export const tearDown = async (): Promise<void> => database?.stop();
