import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { synthesize } from '../../lib/synthesis/synthesis.ts';
import { createTable } from '../../local-cloud/table/create-table.ts';
import { startDynamoDbLocal } from '../../local-cloud/table/dynamodb-local.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Usage } from '../../shared/log/usage.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { setTableVariables } from './table-variables.ts';

/** Returns the call's duration and table usage. Throws if the reply is an error. */
export type Measure = (
  operation: Operation,
  call: Call,
) => Promise<Usage & { milliseconds: number }>;

/**
 * Creates an empty table on DynamoDB Local for this process's handlers, and runs the callback. Call
 * this function once per process, because the table's client reads its endpoint when imported.
 */
export async function withTable<Result>(
  action: (measure: Measure) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-benchmark-'));
  const engine = await startDynamoDbLocal({ shared: true });
  try {
    const { template } = await synthesize('dev', folder);
    setTableVariables({ tableEndpoint: engine.endpoint, tableName: '' });
    process.env.TABLE_NAME = await createTable(new DynamoDBClient(), template);
    const { logOutput } = await import('../../shared/log/log.ts');
    logOutput.print = () => {};
    return await action(await createMeasure());
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

async function createMeasure(): Promise<Measure> {
  const { invokeHandler } = await import('../support/handlers/invoke-handler.ts');
  const { usage } = await import('../../shared/log/usage.ts');
  return async (operation, call) => {
    const start = performance.now();
    const { statusCode, body } = await invokeHandler(operation, call);
    if (statusCode >= 300) throw new Error(`${operation.id} returned ${body}`);
    return { ...usage, milliseconds: performance.now() - start };
  };
}
